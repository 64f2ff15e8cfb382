/** Errors of the API are JSON with a word that programs can read. */
import { type AnyContext, HttpError } from 'fulmar';

export default (error: unknown, c: AnyContext) => {
  if (!(error instanceof HttpError)) throw error;
  return c.status(error.status).json({ error: { status: error.status, message: error.message } });
};
