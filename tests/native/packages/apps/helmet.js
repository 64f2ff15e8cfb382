import helmet from 'helmet';
import { serve } from './serve.js';
serve((app) => {
  app.use('/plain', helmet());
  app.use(
    '/own',
    helmet({
      contentSecurityPolicy: { directives: { scriptSrc: ["'self'", () => "'nonce-abc'"] } },
      frameguard: { action: 'deny' },
    }),
  );
  app.get('/{*path}', (_req, res) => void res.send('ok'));
});
