// ServiceKitTests: placeholder until its first file lands.
