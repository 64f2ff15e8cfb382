/** What clients are told when something fails: what is wrong with their request, and nothing of what is within. */
import { z } from 'zod';

/** An error whose message is for the client, as those of `express.json()` are. */
export class HttpError extends Error {
  status;
  expose = true;

  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const answerMissing = (req) => {
  throw new HttpError(404, `Nothing is at ${req.path}.`);
};

export const answerError = (error, _req, res, next) => {
  // Too late for another reply: Express ends the connection.
  if (res.headersSent) return next(error);
  if (error instanceof z.ZodError) {
    const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    return void res.status(422).json({ error: 'The input is not valid.', errors });
  }
  if (error?.expose === true) return void res.status(error.status).json({ error: error.message });
  console.error(error);
  res.status(500).json({ error: 'Internal Server Error' });
};
