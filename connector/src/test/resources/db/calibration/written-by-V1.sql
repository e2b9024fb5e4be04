-- A file as the first schema left it: one row that its writer signed. Never edited; a migration must keep its row.
CREATE TABLE calibration_key (
    id INTEGER PRIMARY KEY, connector TEXT NOT NULL, task INTEGER NOT NULL, delivery_mode TEXT NOT NULL,
    host TEXT NOT NULL, upstream TEXT NOT NULL, version TEXT NOT NULL, last_opened_epoch_ms INTEGER NOT NULL,
    UNIQUE (connector, task, delivery_mode, host, upstream, version)
) STRICT;
CREATE TABLE observation (
    id INTEGER PRIMARY KEY, key_id INTEGER NOT NULL REFERENCES calibration_key (id) ON DELETE CASCADE,
    level INTEGER NOT NULL, window_end_epoch_ms INTEGER NOT NULL, window_ms INTEGER NOT NULL,
    batch_target_events INTEGER NOT NULL, linger_ms REAL NOT NULL, events INTEGER NOT NULL, polls INTEGER NOT NULL,
    batches INTEGER NOT NULL, busy_ms REAL NOT NULL, capacity_per_sec REAL NOT NULL, ack_p50_ms REAL NOT NULL,
    ack_p99_ms REAL NOT NULL, feasible INTEGER NOT NULL, explored INTEGER NOT NULL, crc INTEGER NOT NULL
) STRICT;
CREATE INDEX observation_by_level ON observation (key_id, level, id);
INSERT INTO calibration_key VALUES (1, 'orders', 0, 'exactly-once', 'host-a', 'synthetic', '1.0.0', 1795168800000);
INSERT INTO observation VALUES
    (1, 1, 3, 1795168810000, 10000, 101, 3.5, 1001, 20, 10, 1235.5, 1620.74, 3.25, 10.75, 0, 0, 2838518875);
PRAGMA application_id = 1835164513;
PRAGMA user_version = 1;
