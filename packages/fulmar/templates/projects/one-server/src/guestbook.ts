/** An Express application: what it has been, and what its middleware expects. */
import express, { type ErrorRequestHandler, type Express } from 'express';
import { z } from 'zod';

const entry = z.object({ name: z.string().trim().min(1).max(50), text: z.string().trim().min(1).max(500) });

/** Beyond them the oldest goes: it is all in memory. */
const ENTRIES_MAX = 100;

export function createGuestbook(): Express {
  const entries: z.output<typeof entry>[] = [];
  const app = express();
  app.use(express.json());
  app.get('/', (_req, res) => void res.json(entries));
  app.post('/', (req, res) => {
    const { data, error } = entry.safeParse(req.body);
    if (error !== undefined) return void res.status(422).json({ error: z.prettifyError(error) });
    entries.push(data);
    if (entries.length > ENTRIES_MAX) entries.shift();
    res.status(201).json(data);
  });
  app.use(answerError);
  return app;
}

/** What is wrong with a request is for the client, everything else for the log alone. */
const answerError: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  if (error?.expose === true) return void res.status(error.status).json({ error: error.message });
  console.error(error);
  res.status(500).json({ error: 'Internal Server Error' });
};
