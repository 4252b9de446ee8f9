// PushWorker: placeholder until its first file lands.
