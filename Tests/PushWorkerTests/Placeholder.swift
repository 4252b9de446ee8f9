// PushWorkerTests: placeholder until its first file lands.
