// PushServerTests: placeholder until its first file lands.
