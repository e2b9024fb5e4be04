-- A row of calibration_key says what the rows of the other tables are valid for. Its version is that of the meaning of
-- the figures, and not the connector's.
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

-- The measurements of each window, for people and for the bench. The task writes them and never reads them.
CREATE TABLE observation (
    id                  INTEGER PRIMARY KEY,
    key_id              INTEGER NOT NULL REFERENCES calibration_key (id) ON DELETE CASCADE,
    level               INTEGER NOT NULL,
    window_end_epoch_ms INTEGER NOT NULL,
    window_ms           INTEGER NOT NULL,
    batch_target_events INTEGER NOT NULL,
    linger_ms           REAL    NOT NULL,
    events              INTEGER NOT NULL,
    batches             INTEGER NOT NULL,
    capacity_per_sec    REAL    NOT NULL,
    ack_p50_ms          REAL    NOT NULL,
    ack_p99_ms          REAL    NOT NULL,
    feasible            INTEGER NOT NULL,
    explored            INTEGER NOT NULL
) STRICT;

CREATE INDEX observation_by_level ON observation (key_id, level, id);

-- The best setting of each level. A row carries a CRC over its key and values: SQLite has no checksums of its own, and a
-- flipped bit inside a value would otherwise steer the task.
CREATE TABLE best (
    key_id                      INTEGER NOT NULL REFERENCES calibration_key (id) ON DELETE CASCADE,
    level                       INTEGER NOT NULL,
    batch_target_events         INTEGER NOT NULL,
    linger_ms                   REAL    NOT NULL,
    score_per_sec               REAL    NOT NULL,
    expected_throughput_per_sec REAL    NOT NULL,
    arrivals_per_sec            REAL    NOT NULL,
    ack_p99_ms                  REAL    NOT NULL,
    observations                INTEGER NOT NULL,
    updated_epoch_ms            INTEGER NOT NULL,
    regressions                 INTEGER NOT NULL,
    crc                         INTEGER NOT NULL,
    PRIMARY KEY (key_id, level)
) STRICT, WITHOUT ROWID;
