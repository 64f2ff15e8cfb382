import pg from 'pg';
import { serve } from './serve.js';
const url = process.env['TEST_PG_TLS_URL'] ?? '';
const ca = process.env['TEST_CA'];
const other = process.env['TEST_OTHER_CA'];
/** What one connection sees, or why there is none. */
async function tried(config, work) {
  const client = new pg.Client({ connectionString: url, ...config });
  try {
    await client.connect();
    return await work(client);
  } catch ({ name, code, message }) {
    // Node adds which of its options may help.
    return { name, code, message: message.replace(/; if the root CA .*/, '') };
  } finally {
    await client.end().catch(() => {});
  }
}
const state = async (client) => {
  const { rows } = await client.query('select ssl, version, cipher from pg_stat_ssl where pid = pg_backend_pid()');
  const { authorized, alpnProtocol, encrypted } = client.connection.stream;
  return { rows, authorized, alpnProtocol, encrypted };
};
serve((app) => {
  const trust = { ca, servername: 'localhost' };
  app.get('/trusted', async (_req, res) => void res.json(await tried({ ssl: trust }, state)));
  app.get('/anybody', async (_req, res) => void res.json(await tried({ ssl: { rejectUnauthorized: false } }, state)));
  app.get(
    '/plain',
    async (_req, res) => void res.json(await tried({ ssl: false }, (client) => client.query('select 1 as one').then(({ rows }) => rows))),
  );
  app.get('/stranger', async (_req, res) => void res.json(await tried({ ssl: { ca: other, servername: 'localhost' } }, state)));
  app.get('/untrusted', async (_req, res) => void res.json(await tried({ ssl: true }, state)));
  app.get('/misnamed', async (_req, res) => void res.json(await tried({ ssl: { ca, servername: 'elsewhere.test' } }, state)));
  app.get(
    '/old',
    async (_req, res) =>
      void res.json(
        await tried({ ssl: { ...trust, maxVersion: 'TLSv1.2' } }, (client) => state(client).then(({ rows }) => rows[0].version)),
      ),
  );
  app.get('/bound', async (_req, res) => void res.json(await tried({ ssl: trust, enableChannelBinding: true }, state)));
  app.get('/password', async (_req, res) => {
    const wrong = new URL(url);
    wrong.password = 'wrong';
    res.json(await tried({ connectionString: wrong.href, ssl: trust }, state));
  });
  app.get('/pool', async (_req, res) => {
    const pool = new pg.Pool({ connectionString: url, ssl: trust, max: 3 });
    const large = 'x'.repeat(300_000);
    const lengths = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        pool.query('select length($1::text) as l, repeat($2, 200000) as r, $3::bytea as b', [large, String(i), Buffer.alloc(70_000, i)]),
      ),
    );
    await pool.end();
    res.json(lengths.map(({ rows: [{ l, r, b }] }) => [l, r.length, r[0], b.length, b[0]]));
  });
});
