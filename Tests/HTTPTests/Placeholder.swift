// HTTPTests: placeholder until its first file lands.
