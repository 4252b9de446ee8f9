// PushCore: placeholder until its first file lands.
