// The two database queries, through one pool of node-postgres. Loaded by the scenarios that ask the database;
// rows leave as the driver gives them.
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });

const LIST =
  'SELECT id, name, description, category, price, quantity, rating, active, sku, color, created_at, updated_at ' +
  'FROM items WHERE category = $1 ORDER BY id LIMIT 100';
const INSERT = 'INSERT INTO inserted (name, category, price) VALUES ($1,$2,$3) RETURNING name, category, price';

export async function list(category: number) {
  const { rows } = await pool.query(LIST, [category]);
  return rows;
}

export async function insert({ name, category, price }: { name: string; category: number; price: number }) {
  const { rows } = await pool.query(INSERT, [name, category, price]);
  return rows[0];
}
