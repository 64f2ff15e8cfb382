/**
 * `npm run dev`: the server, started again when its files change, and Vite before it. Both end with one of them, and with this process.
 */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createServer } from 'vite';

const port = process.env['PORT'] ?? '3000';
process.env['API_URL'] = `http://localhost:${port}`;

const vite = await createServer({ server: { port: Number(process.env['PAGE_PORT'] ?? 5173) } });
const api = spawn('fulmar', ['run', '--watch', 'server/main.ts'], { stdio: 'inherit', env: { ...process.env, PORT: port } });
api.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    api.kill();
    process.exit(0);
  });
await vite.listen();
vite.printUrls();
