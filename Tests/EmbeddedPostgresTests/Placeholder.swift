// EmbeddedPostgresTests: placeholder until its first file lands.
