// PushStoreTests: placeholder until its first file lands.
