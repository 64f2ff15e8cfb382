// The two database queries, through one pool of node-postgres; rows leave as the driver gives them.
import { HttpBody, HttpQuery, HttpRouterRegistry, JSONResponse } from '@deepkit/http';
import { Pool } from 'pg';

const LIST =
  'SELECT id, name, description, category, price, quantity, rating, active, sku, color, created_at, updated_at ' +
  'FROM items WHERE category = $1 ORDER BY id LIMIT 100';
const INSERT = 'INSERT INTO inserted (name, category, price) VALUES ($1,$2,$3) RETURNING name, category, price';

interface Item {
  name: string;
  category: number;
  price: number;
}

export function define(router: HttpRouterRegistry) {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });

  router.get('/items', async (category: HttpQuery<number>) => {
    const { rows } = await pool.query(LIST, [category]);
    return rows;
  });

  router.post('/items', async (item: HttpBody<Item>) => {
    const { rows } = await pool.query(INSERT, [item.name, item.category, item.price]);
    return new JSONResponse(rows[0], 201);
  });
}
