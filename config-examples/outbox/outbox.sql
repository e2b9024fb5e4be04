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
-- A row that is copied or replicated with its xid of another time could be taken for delivered, and deleted.
CREATE FUNCTION outboxevent_xid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.xid := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER outboxevent_xid BEFORE INSERT ON outboxevent FOR EACH ROW EXECUTE FUNCTION outboxevent_xid();
ALTER TABLE outboxevent ENABLE ALWAYS TRIGGER outboxevent_xid;

CREATE ROLE relay LOGIN PASSWORD 'relay';
GRANT SELECT, DELETE ON outboxevent TO relay;
