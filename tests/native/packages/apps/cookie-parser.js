import cookieParser from 'cookie-parser';
import { serve } from './serve.js';
serve((app) => {
  app.use(cookieParser(['new secret', 'old secret']));
  app.get(
    '/set',
    (_req, res) =>
      void res
        .cookie('plain', 'a b')
        .cookie('signed', 'value', {
          signed: true,
          httpOnly: true,
        })
        .cookie('json', { a: 1 })
        .end(),
  );
  app.get(
    '/',
    (req, res) =>
      void res.json({
        cookies: req.cookies,
        signed: req.signedCookies,
      }),
  );
});
