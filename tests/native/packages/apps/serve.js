import express from 'express';
export function serve(define) {
  const app = express();
  app.disable('x-powered-by');
  define(app);
  const server = app.listen(0, '127.0.0.1', () => console.log(`PORT ${server.address().port}`));
}
/** An app whose `GET /` answers with what `compute` gives, or with the error it throws. */
export function answer(compute) {
  serve((app) => {
    app.get('/', async (_req, res) => {
      res.json(await compute());
    });
  });
}
/** A result, or the error's name and message. */
export function attempt(run) {
  try {
    return run();
  } catch (error) {
    const { name, message } = error;
    return {
      name,
      message,
    };
  }
}
