import busboy from 'busboy';
import { serve } from './serve.js';
serve((app) => {
  app.post('/', (req, res, next) => {
    const seen = [];
    const parser = busboy({
      headers: req.headers,
      limits: {
        fieldSize: 20,
        fileSize: 50,
      },
    });
    parser.on('field', (name, value, info) =>
      seen.push({
        name,
        value,
        info,
      }),
    );
    parser.on('file', (name, stream, info) => {
      let bytes = 0;
      stream.on('data', (chunk) => (bytes += chunk.length));
      stream.on('close', () =>
        seen.push({
          name,
          info,
          bytes,
          isTruncated: stream.truncated,
        }),
      );
    });
    parser.on('error', next);
    parser.on('close', () => res.json(seen));
    req.pipe(parser);
  });
});
