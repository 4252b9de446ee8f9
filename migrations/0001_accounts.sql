-- Customers and their keys. Global tables: few rows, rarely written; reference tables under Citus. No tenant table refers to
-- them by a foreign key.

CREATE TABLE accounts (
  account_id   uuid PRIMARY KEY,
  name         text NOT NULL,
  created_at   timestamptz NOT NULL,
  suspended_at timestamptz
);
COMMENT ON TABLE accounts IS 'global';

CREATE TABLE account_keys (
  account_id   uuid NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
  id           uuid NOT NULL,
  name         text NOT NULL,
  permissions  text[] NOT NULL,
  secret_hash  bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, secret_hash)
);
COMMENT ON TABLE account_keys IS 'global';
COMMENT ON COLUMN account_keys.secret_hash IS 'SHA-256 of a secret of 256 random bits; no salt is needed';
