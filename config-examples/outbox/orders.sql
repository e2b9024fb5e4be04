-- The tables of OrderService.java. The outbox itself is in docs/outbox.md.
CREATE TABLE orders (
  id   int PRIMARY KEY,
  paid int NOT NULL DEFAULT 0
);

CREATE TABLE payments (
  id       uuid PRIMARY KEY,
  order_id int  NOT NULL REFERENCES orders,
  amount   int  NOT NULL
);

INSERT INTO orders (id) SELECT generate_series(1, 10);
