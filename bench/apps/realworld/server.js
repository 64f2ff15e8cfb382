// The program: reads the environment, opens the storage, listens, and ends in order on SIGTERM and SIGINT.
import process from 'node:process';
import { createApp } from './app.js';
import { openStorage } from './storage/index.js';

const {
  PORT = '3000',
  HOST = '127.0.0.1',
  DATABASE_URL,
  POOL_SIZE = '10',
  JWT_SECRET = 'conduit-demo-secret',
  LOG,
  NODE_ENV,
} = process.env;
const isProduction = NODE_ENV === 'production';

const storage = await openStorage({ databaseUrl: DATABASE_URL, poolSize: Number(POOL_SIZE) });
const app = createApp({ storage, secret: JWT_SECRET, isLogging: LOG === 'on' || (LOG !== 'off' && !isProduction) });

const server = app.listen(Number(PORT), HOST, (error) => {
  if (error) throw error;
  if (!isProduction) console.log(`RealWorld API on http://${HOST}:${server.address().port}`);
});

function stop() {
  server.close(() => void storage.close());
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
