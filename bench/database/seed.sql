-- Tables of the scenarios db-read and db-insert. Content follows from the row's number alone: every run serves the same bytes.
BEGIN;

CREATE TABLE items (
  id integer PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL,
  category integer NOT NULL,
  price double precision NOT NULL,
  quantity integer NOT NULL,
  rating real NOT NULL,
  active boolean NOT NULL,
  sku text NOT NULL,
  color text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

INSERT INTO items
SELECT
  id,
  'Item ' || id,
  'Item ' || id || ' of category ' || id % 1000 || ', made of ' || (ARRAY['oak', 'steel', 'wool', 'glass', 'paper'])[id % 5 + 1]
    || ' and delivered within ' || id % 14 + 1 || ' days',
  id % 1000,
  (id * 37 % 100000) / 100.0,
  id * 7 % 500,
  (id % 41 + 10) / 10.0,
  id % 3 <> 0,
  'SKU-' || lpad(id::text, 8, '0'),
  (ARRAY['red', 'green', 'blue', 'black', 'white', 'yellow', 'grey'])[id / 1000 % 7 + 1],
  timestamptz '2024-01-01 00:00:00Z' + id * interval '61.001 seconds',
  timestamptz '2024-06-01 00:00:00Z' + id * interval '97.003 seconds'
FROM generate_series(1, 100000) AS id;

CREATE INDEX items_category ON items (category);

CREATE TABLE inserted (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  category integer NOT NULL,
  price double precision NOT NULL
) WITH (autovacuum_enabled = off);

COMMIT;

VACUUM ANALYZE items;
CHECKPOINT;
