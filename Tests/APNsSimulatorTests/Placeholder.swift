// APNsSimulatorTests: placeholder until its first file lands.
