-- A calibration file as the first version with a meaning wrote it. Later versions with the same meaning read it.
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
    batches             INTEGER NOT NULL,
    capacity_per_sec    REAL    NOT NULL,
    ack_p50_ms          REAL    NOT NULL,
    ack_p99_ms          REAL    NOT NULL,
    feasible            INTEGER NOT NULL,
    explored            INTEGER NOT NULL
) STRICT;
CREATE INDEX observation_by_level ON observation (key_id, level, id);
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
PRAGMA application_id = 1835164513;
PRAGMA user_version = 4;
INSERT INTO calibration_key VALUES (1, 'orders', 0, 'exactly-once within 30 to 75 ms', 'host-a', 'synthetic', '1-4f6e11d6', 1763632800000);
INSERT INTO best VALUES (1, 3, 500, 12.5, 1000000.0, 900000.0, 1234.5, 40.25, 17, 1763632800000, 2, 3607936189);
