// Every error leaves in the spec's shape: `{ errors: { field: [messages] } }`.
import { ApiError, notFound } from '../lib/errors.js';

export function handleNotFound() {
  throw notFound('route');
}

// Express knows an error handler by its four parameters.
export function handleError(error, req, res, next) {
  if (res.headersSent) return next(error);
  if (error instanceof ApiError) return res.status(error.status).json({ errors: error.errors });
  if (error.type === 'entity.parse.failed') return res.status(400).json({ errors: { body: ['is not valid JSON'] } });
  // PostgreSQL stores no NUL character.
  if (error.code === '22021') return res.status(422).json({ errors: { request: ['holds a character that cannot be stored'] } });
  // Errors of Express and its body parser: too large, wrong charset, malformed path.
  if (error.status >= 400 && error.status < 500) return res.status(error.status).json({ errors: { request: [error.message] } });
  console.error(error);
  return res.status(500).json({ errors: { server: ['internal error'] } });
}
