import pg from 'pg';
import { serve } from './serve.js';
const pool = new pg.Pool({
  host: '127.0.0.1',
  port: Number(process.env['TEST_PG_PORT']),
  user: 'tester',
  password: 'pass',
  database: 'test',
  max: 2,
});
serve((app) => {
  app.get('/simple', async (_req, res) => void res.json((await pool.query('select all')).rows));
  app.get('/prepared', async (req, res) => {
    const found = await pool.query({
      name: 'one',
      text: 'select one',
      values: [req.query['id'], null, true],
    });
    res.json({
      rows: found.rows,
      count: found.rowCount,
      fields: found.fields.map((field) => [field.name, field.dataTypeID]),
    });
  });
  app.get('/error', async (_req, res) => {
    const error = await pool.query('fail').catch((reason) => reason);
    res.json({
      name: error.name,
      message: error.message,
      code: error.code,
      severity: error.severity,
    });
  });
  app.get(
    '/both',
    async (_req, res) =>
      void res.json((await Promise.all([pool.query('select all'), pool.query('select all')])).map((found) => found.rowCount)),
  );
});
