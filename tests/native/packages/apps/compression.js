import compression from 'compression';
import { serve } from './serve.js';
const text = 'All work and no play makes a dull boy. '.repeat(100);
serve((app) => {
  app.use(compression({ threshold: 100 }));
  app.get('/long', (_req, res) => void res.type('text').send(text));
  app.get('/short', (_req, res) => void res.type('text').send('short'));
  app.get('/image', (_req, res) => void res.type('png').send(Buffer.alloc(2e3)));
  app.get('/stream', (_req, res) => {
    res.type('text');
    res.write(text);
    res.flush();
    res.end('the end');
  });
});
