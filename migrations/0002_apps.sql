-- Apps are the tenants: app_id comes first in every key of every tenant table, and has one type everywhere.

CREATE TABLE apps (
  app_id        uuid PRIMARY KEY,
  account_id    uuid NOT NULL,
  name          text NOT NULL,
  environment   smallint NOT NULL CHECK (environment IN (1, 2)),
  sealed_keys   bytea NOT NULL,
  receipt_epoch integer NOT NULL DEFAULT 1,
  created_at    timestamptz NOT NULL,
  deleted_at    timestamptz,
  held_at       timestamptz,
  hold_cause    smallint CHECK (hold_cause IN (1, 2)),
  hold_reason   text
);
COMMENT ON TABLE apps IS 'tenant';
COMMENT ON COLUMN apps.environment IS '1 development, 2 production';
COMMENT ON COLUMN apps.sealed_keys IS 'receipt key and delivery key, 32 bytes each, sealed together with the master key';
COMMENT ON COLUMN apps.receipt_epoch IS 'part of every receipt token; raising it revokes them all';
COMMENT ON COLUMN apps.deleted_at IS 'from here on the app does not exist for anybody; its rows go in slices';
COMMENT ON COLUMN apps.held_at IS 'while set, nothing of the app is due';
COMMENT ON COLUMN apps.hold_cause IS '1 credential, 2 configuration';

CREATE TABLE api_keys (
  app_id       uuid NOT NULL REFERENCES apps (app_id) ON DELETE CASCADE,
  id           uuid NOT NULL,
  name         text NOT NULL,
  permissions  text[] NOT NULL,
  secret_hash  bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (app_id, id),
  UNIQUE (app_id, secret_hash)
);
COMMENT ON TABLE api_keys IS 'tenant';

CREATE TABLE apns_credentials (
  app_id      uuid PRIMARY KEY REFERENCES apps (app_id) ON DELETE CASCADE,
  team_id     text NOT NULL,
  key_id      text NOT NULL,
  bundle_id   text NOT NULL,
  fingerprint text NOT NULL,
  sealed_p8   bytea NOT NULL,
  status      smallint NOT NULL CHECK (status BETWEEN 1 AND 4),
  problem     text,
  checked_at  timestamptz,
  set_at      timestamptz NOT NULL
);
COMMENT ON TABLE apns_credentials IS 'tenant';
COMMENT ON COLUMN apns_credentials.sealed_p8 IS 'PEM text sealed with the master key and bound to the app';
COMMENT ON COLUMN apns_credentials.status IS '1 unverified, 2 verified, 3 rejected, 4 paused';
