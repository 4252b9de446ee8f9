-- What became of each recipient, written once; and what the phones reported. No foreign keys: a check for each of a million rows
-- costs more than the row.

CREATE TABLE deliveries (
  app_id          uuid NOT NULL,
  message_id      uuid NOT NULL,
  installation_id uuid NOT NULL,
  user_id         text,
  state           smallint NOT NULL CHECK (state BETWEEN 1 AND 5),
  reason          text,
  attempts        smallint NOT NULL,
  apns_id         uuid,
  settled_at      timestamptz NOT NULL,
  PRIMARY KEY (app_id, message_id, installation_id)
);
COMMENT ON TABLE deliveries IS 'tenant';
COMMENT ON COLUMN deliveries.state IS '1 accepted, 2 failed, 3 expired, 4 cancelled, 5 suppressed';

CREATE TABLE receipts (
  app_id          uuid NOT NULL,
  message_id      uuid NOT NULL,
  installation_id uuid NOT NULL,
  kind            smallint NOT NULL CHECK (kind BETWEEN 1 AND 4),
  occurred_at     timestamptz NOT NULL,
  received_at     timestamptz NOT NULL,
  action          text,
  PRIMARY KEY (app_id, message_id, installation_id, kind)
);
COMMENT ON TABLE receipts IS 'tenant';
COMMENT ON COLUMN receipts.kind IS '1 delivered, 2 opened, 3 dismissed, 4 action';
COMMENT ON COLUMN receipts.occurred_at IS 'by the phone, clamped to between the message''s making and received_at';
