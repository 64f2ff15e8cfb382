// Express with Vite in middleware mode: modules are transformed as they are asked for, pages rendered by React, hot updates by WebSocket.
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { PassThrough } from 'node:stream';
import express from 'express';
import { createServer as createViteServer } from 'vite';

const app = express();
const server = createHttpServer(app);
const vite = await createViteServer({
  root: import.meta.dirname,
  logLevel: 'silent',
  server: { middlewareMode: { server }, hmr: { server }, watch: null },
});
app.use(vite.middlewares);

const birds = ['Möwe', '<Kråka>', '花鶏'];
app.get('/api/birds', (_req, res) => res.json(birds));
app.post('/api/reload', (_req, res) => {
  vite.ws.send({ type: 'full-reload', path: '*' });
  res.sendStatus(204);
});
app.get('/whole{/*rest}', async (req, res) => {
  const { renderAll } = await vite.ssrLoadModule('/src/entry-server.jsx');
  const page = await vite.transformIndexHtml(req.originalUrl, await readFile(new URL('./index.html', import.meta.url), 'utf8'));
  const html = page.replace('<!--app-->', renderAll(req.originalUrl, birds));
  res.status(200).set({ 'Content-Type': 'text/html', ETag: 'W/"whole"' }).send(html);
});
app.get('/{*rest}', async (req, res, next) => {
  const { render } = await vite.ssrLoadModule('/src/entry-server.jsx');
  const page = await vite.transformIndexHtml(req.originalUrl, await readFile(new URL('./index.html', import.meta.url), 'utf8'));
  const [before, behind] = page.split('<!--app-->');
  // The birds fly in when the shell of the page is on its way.
  let land;
  const landing = new Promise((resolve) => (land = resolve));
  const content = new PassThrough();
  const stream = render(req.originalUrl, landing, {
    onShellReady() {
      res.type('html').write(before);
      stream.pipe(content).pipe(res, { end: false });
      setTimeout(() => land(birds), 5);
    },
    onShellError: next,
    onError: () => undefined,
  });
  content.once('end', () => res.end(behind));
});
app.use((error, _req, res, _next) => {
  vite.ssrFixStacktrace(error);
  res.status(500).json({ error: error.message, at: /[\w-]+\.jsx/.exec(error.stack)?.[0] });
});

server.listen(Number(process.env.PORT ?? 3000), () => console.log(`listening on http://localhost:${server.address().port}`));
