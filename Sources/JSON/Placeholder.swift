// JSON: placeholder until its first file lands.
