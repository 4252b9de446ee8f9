// JSONTests: placeholder until its first file lands.
