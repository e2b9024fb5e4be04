-- The best setting of each level, as learned from the observations.
CREATE TABLE best (
    key_id                      INTEGER NOT NULL REFERENCES calibration_key (id) ON DELETE CASCADE,
    level                       INTEGER NOT NULL,
    batch_target_events         INTEGER NOT NULL,
    linger_ms                   REAL    NOT NULL,
    score_per_sec               REAL    NOT NULL,
    expected_throughput_per_sec REAL    NOT NULL,
    ack_p99_ms                  REAL    NOT NULL,
    observations                INTEGER NOT NULL,
    updated_epoch_ms            INTEGER NOT NULL,
    regressions                 INTEGER NOT NULL,
    crc                         INTEGER NOT NULL,
    PRIMARY KEY (key_id, level)
) STRICT, WITHOUT ROWID;
