// The two database queries, through one pool of node-postgres. Loaded by the scenarios that ask the database;
// rows leave as the driver gives them.
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });

const LIST =
  'SELECT id, name, description, category, price, quantity, rating, active, sku, color, created_at, updated_at ' +
  'FROM items WHERE category = $1 ORDER BY id LIMIT 100';
const INSERT = 'INSERT INTO inserted (name, category, price) VALUES ($1,$2,$3) RETURNING name, category, price';

/** The first 100 items of a category. */
export async function list(category) {
  const { rows } = await pool.query(LIST, [category]);
  return rows;
}

/** The item as it was inserted. */
export async function insert({ name, category, price }) {
  const { rows } = await pool.query(INSERT, [name, category, price]);
  return rows[0];
}
