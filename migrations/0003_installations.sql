-- One copy of an app on one device. No foreign key to apps: every registration would lock the one row of its app, and a scope
-- already proves that the app exists.

CREATE TABLE installations (
  app_id         uuid NOT NULL,
  id             uuid NOT NULL,
  device_id      text NOT NULL,
  anonymous_id   text,
  platform       smallint NOT NULL CHECK (platform BETWEEN 1 AND 6),
  token          bytea,
  environment    smallint NOT NULL CHECK (environment IN (1, 2)),
  permission     smallint CHECK (permission BETWEEN 1 AND 5),
  user_id        text,
  identity_epoch integer NOT NULL,
  locale         text,
  timezone       text,
  app_version    text,
  os_version     text,
  sdk_version    text,
  device_model   text,
  tags           text,
  created_at     timestamptz NOT NULL,
  registered_at  timestamptz NOT NULL,
  retired_at     timestamptz,
  retired_reason text,
  CHECK ((retired_at IS NULL) = (retired_reason IS NULL)),
  -- The columns that reading an audience needs ride in the key, so that a slice is read from the index alone; a second, partial
  -- index would be written on every registration.
  PRIMARY KEY (app_id, id)
    INCLUDE (token, environment, permission, locale, user_id, created_at, registered_at, retired_at),
  UNIQUE (app_id, device_id)
);
COMMENT ON TABLE installations IS 'tenant';
COMMENT ON COLUMN installations.platform IS '1 ios, 2 ipados, 3 macos, 4 tvos, 5 watchos, 6 visionos';
COMMENT ON COLUMN installations.environment IS '1 development, 2 production';
COMMENT ON COLUMN installations.permission IS '1 granted, 2 provisional, 3 ephemeral, 4 denied, 5 not determined';
COMMENT ON COLUMN installations.identity_epoch IS 'grows with each change of user_id';
COMMENT ON COLUMN installations.tags IS 'JSON text as it was sent: digits and order kept';
COMMENT ON COLUMN installations.registered_at IS 'when the device last confirmed its token';

-- A token is live in one place only.
CREATE UNIQUE INDEX installations_token ON installations (app_id, environment, token)
  WHERE retired_at IS NULL AND token IS NOT NULL;

CREATE INDEX installations_user ON installations (app_id, user_id)
  WHERE retired_at IS NULL AND user_id IS NOT NULL;

-- Pages of index-only scans need a fresh visibility map; the default waits for a fifth of the table.
ALTER TABLE installations SET (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
