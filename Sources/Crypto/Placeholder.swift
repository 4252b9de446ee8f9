// Crypto: placeholder until its first file lands.
