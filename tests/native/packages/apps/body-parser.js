import bodyParser from 'body-parser';
import { serve } from './serve.js';
serve((app) => {
  app.use(
    bodyParser.json({
      limit: 100,
      verify: (req) => void Reflect.set(req, 'verified', true),
    }),
  );
  app.use(bodyParser.urlencoded({ extended: true }), bodyParser.text(), bodyParser.raw());
  app.post(
    '/',
    (req, res) =>
      void res.json({
        body: Buffer.isBuffer(req.body) ? req.body.toString('hex') : req.body,
        verified: Reflect.get(req, 'verified'),
      }),
  );
  app.use((error, _req, res, _next) =>
    res.status(error.status).json({
      type: error.type,
      message: error.type === 'entity.parse.failed' ? '' : error.message,
    }),
  );
});
