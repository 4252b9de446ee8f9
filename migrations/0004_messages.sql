-- Messages, their counts and the keys that make a request one. No foreign keys between these: they are written together, in
-- one transaction, and removed app by app.

CREATE TABLE messages (
  app_id      uuid NOT NULL,
  id          uuid NOT NULL,
  content     bytea NOT NULL,
  lane        smallint NOT NULL CHECK (lane IN (1, 2)),
  name        text,
  created_at  timestamptz NOT NULL,
  send_at     timestamptz,
  due_at      timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  started_at  timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (app_id, id)
);
COMMENT ON TABLE messages IS 'tenant';
COMMENT ON COLUMN messages.content IS 'JSON as UTF-8: never jsonb, which loses digits and order';
COMMENT ON COLUMN messages.lane IS '1 transactional, 2 bulk';
COMMENT ON COLUMN messages.started_at IS 'when its first batch was claimed';

CREATE TABLE message_tallies (
  app_id     uuid NOT NULL,
  message_id uuid NOT NULL,
  kind       smallint NOT NULL,
  reason     text NOT NULL,
  count      bigint NOT NULL,
  PRIMARY KEY (app_id, message_id, kind, reason)
) WITH (fillfactor = 50);
COMMENT ON TABLE message_tallies IS 'tenant';
COMMENT ON COLUMN message_tallies.kind IS
  '1 to 5 the delivery states, 11 to 14 the kinds of receipts, 20 how long accepted deliveries took (reason: a bucket)';
COMMENT ON COLUMN message_tallies.reason IS 'empty where there is none';

CREATE TABLE idempotency_keys (
  app_id     uuid NOT NULL,
  key        text NOT NULL,
  body_hash  bytea NOT NULL,
  message_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (app_id, key)
);
COMMENT ON TABLE idempotency_keys IS 'tenant';

-- For pruning only.
CREATE INDEX idempotency_keys_age ON idempotency_keys (app_id, created_at);
