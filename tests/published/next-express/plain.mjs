// Next.js in a server of one's own, as its guide has it.
import http, { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import next from 'next';

const port = Number(process.env.PORT);
const app = next({ dev: false, dir: fileURLToPath(new URL('site', import.meta.url)), hostname: '127.0.0.1', port });
const handle = app.getRequestHandler();

void app.prepare().then(() => {
  const server = createServer((req, res) => {
    if (req.url === '/own') res.end('own');
    else if (req.url === '/http') {
      console.log(`http is Fulmar's: ${Symbol.for('fulmar.version') in http}`);
      res.end();
    } else void handle(req, res);
  });
  server.listen(port, '127.0.0.1');
});
