// PostgresTests: placeholder until its first file lands.
