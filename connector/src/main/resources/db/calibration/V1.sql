-- What was observed, and under which key it is valid. Every row carries a CRC over its key and values: SQLite has no
-- checksums of its own, and a flipped bit inside a value would otherwise pass for a measurement.
CREATE TABLE calibration_key (
    id                   INTEGER PRIMARY KEY,
    connector            TEXT    NOT NULL,
    task                 INTEGER NOT NULL,
    delivery_mode        TEXT    NOT NULL,
    host                 TEXT    NOT NULL,
    upstream             TEXT    NOT NULL,
    version              TEXT    NOT NULL,
    last_opened_epoch_ms INTEGER NOT NULL,
    UNIQUE (connector, task, delivery_mode, host, upstream, version)
) STRICT;

CREATE TABLE observation (
    id                  INTEGER PRIMARY KEY,
    key_id              INTEGER NOT NULL REFERENCES calibration_key (id) ON DELETE CASCADE,
    level               INTEGER NOT NULL,
    window_end_epoch_ms INTEGER NOT NULL,
    window_ms           INTEGER NOT NULL,
    batch_target_events INTEGER NOT NULL,
    linger_ms           REAL    NOT NULL,
    events              INTEGER NOT NULL,
    polls               INTEGER NOT NULL,
    batches             INTEGER NOT NULL,
    busy_ms             REAL    NOT NULL,
    capacity_per_sec    REAL    NOT NULL,
    ack_p50_ms          REAL    NOT NULL,
    ack_p99_ms          REAL    NOT NULL,
    feasible            INTEGER NOT NULL,
    explored            INTEGER NOT NULL,
    crc                 INTEGER NOT NULL
) STRICT;

CREATE INDEX observation_by_level ON observation (key_id, level, id);
