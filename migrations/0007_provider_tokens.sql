-- The one current provider token of each key with Apple, for all processes. A local table: it is no tenant's, since two apps of
-- one team may share a key, and must then share the token.

CREATE TABLE provider_tokens (
  environment  smallint NOT NULL CHECK (environment IN (1, 2)),
  team_id      text NOT NULL,
  key_id       text NOT NULL,
  fingerprint  text NOT NULL,
  sealed_token bytea,
  issued_at    timestamptz NOT NULL,
  PRIMARY KEY (environment, team_id, key_id)
);
COMMENT ON TABLE provider_tokens IS 'local';
COMMENT ON COLUMN provider_tokens.sealed_token IS 'null between the row''s making and the first token';
