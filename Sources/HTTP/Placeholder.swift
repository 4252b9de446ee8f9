// HTTP: placeholder until its first file lands.
