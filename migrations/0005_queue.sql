-- The queue: a row is a part of a message's audience that is still to be sent, and goes when it has been.

CREATE TABLE batches (
  app_id          uuid NOT NULL,
  id              uuid NOT NULL,
  message_id      uuid NOT NULL,
  lane            smallint NOT NULL CHECK (lane IN (1, 2)),
  state           smallint NOT NULL CHECK (state IN (0, 1)),
  due_at          timestamptz NOT NULL,
  attempts        smallint NOT NULL,
  users           text[],
  installations   uuid[],
  after_id        uuid,
  through_id      uuid,
  claims          integer NOT NULL DEFAULT 0,
  fence           bigint NOT NULL DEFAULT 0,
  worker_id       uuid,
  lease_until     timestamptz,
  missing_settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (app_id, id),
  CHECK (num_nonnulls(users, installations, through_id) = 1),
  CHECK ((after_id IS NULL) = (through_id IS NULL))
) WITH (
  -- Rows live for seconds and are written three times: room on the page, and a vacuum that does not wait for a share of the table.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.0,
  autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0.0,
  autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE batches IS 'tenant';
COMMENT ON COLUMN batches.lane IS '1 transactional, 2 bulk';
COMMENT ON COLUMN batches.state IS '0 queued, 1 claimed';
COMMENT ON COLUMN batches.attempts IS 'how often the deliveries in it were tried; above 0 it is a retry';
COMMENT ON COLUMN batches.claims IS 'how often it was claimed: above 1 some of it may be settled';
COMMENT ON COLUMN batches.fence IS 'of the last claim; grows by the clock, so that a claim lost in a crash is not repeated';
COMMENT ON COLUMN batches.missing_settled IS 'its recipients without an installation have been counted';

CREATE INDEX batches_due ON batches (app_id, lane, due_at) WHERE state = 0;
CREATE INDEX batches_lease ON batches (app_id, lease_until) WHERE state = 1;
CREATE INDEX batches_message ON batches (app_id, message_id);
