// HTTPServerTests: placeholder until its first file lands.
