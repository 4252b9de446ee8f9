// PushAPI: placeholder until its first file lands.
