-- The rate that a level's expectation holds for. A best of before is worth less than the doubt about it.
DELETE FROM best;
ALTER TABLE best ADD COLUMN arrivals_per_sec REAL NOT NULL DEFAULT 0;
