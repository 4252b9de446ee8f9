// PushServer: placeholder until its first file lands.
