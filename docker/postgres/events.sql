-- What the connector of docker/shop.json reads.
CREATE TABLE events (
    id bigserial PRIMARY KEY,
    account int NOT NULL,
    amount int NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO events (account, amount)
SELECT number % 10, number
FROM generate_series(1, 1000) AS number;
