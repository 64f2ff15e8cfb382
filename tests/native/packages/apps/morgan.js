import morgan from 'morgan';
import { serve } from './serve.js';
const lines = [];
const stream = { write: (line) => void lines.push(line) };
serve((app) => {
  for (const format of ['common', 'combined', 'short', 'tiny']) app.use(morgan(format, { stream }));
  app.use(
    morgan(':method :url :status :res[content-length] :req[x-name] :http-version', {
      stream,
      skip: (req) => req.url === '/skipped',
    }),
  );
  app.get('/lines', (_req, res) => void res.json(lines.map((line) => line.replaceAll(/\[.*?\]|[\d.]+ ms/g, '…'))));
  app.get('/{*path}', (_req, res) => void res.send('hello'));
});
