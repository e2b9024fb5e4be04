-- The outbox, and a user for the connector: docs/outbox.md.
CREATE TABLE outboxevent (
  id            uuid         PRIMARY KEY,
  aggregatetype varchar(255) NOT NULL,
  aggregateid   varchar(255) NOT NULL,
  type          varchar(255) NOT NULL,
  payload       jsonb,
  seq           bigint       GENERATED ALWAYS AS IDENTITY UNIQUE,
  xid           xid8         NOT NULL DEFAULT pg_current_xact_id()
);

CREATE ROLE relay LOGIN PASSWORD 'relay';
GRANT SELECT, DELETE ON outboxevent TO relay;
