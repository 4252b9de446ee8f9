// Postgres: placeholder until its first file lands.
