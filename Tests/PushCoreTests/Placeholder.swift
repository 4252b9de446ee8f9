// PushCoreTests: placeholder until its first file lands.
