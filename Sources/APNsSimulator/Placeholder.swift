// APNsSimulator: placeholder until its first file lands.
