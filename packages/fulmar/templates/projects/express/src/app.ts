/** The application without a port, so that tests can have one of their own. */
import express, { type Express } from 'express';
import { answerError, answerMissing } from './errors.ts';
import { createNotes } from './notes.ts';

export function createApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }));
  app.use(express.json({ limit: '100kb' }));
  app.use('/notes', createNotes());
  app.use(answerMissing);
  app.use(answerError);
  return app;
}
