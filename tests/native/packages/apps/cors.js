import cors from 'cors';
import { serve } from './serve.js';
serve((app) => {
  app.use('/open', cors());
  app.use(
    cors({
      origin: ['http://a.example', /\.b\.example$/],
      credentials: true,
      exposedHeaders: ['X-A', 'X-B'],
      maxAge: 600,
    }),
  );
  app.get('/{*path}', (_req, res) => void res.send('ok'));
});
