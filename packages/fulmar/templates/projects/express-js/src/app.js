/** The application without a port, so that tests can have one of their own. */
import express from 'express';
import { answerError, answerMissing } from './errors.js';
import { createNotes } from './notes.js';

export function createApp() {
  const app = express();
  app.disable('x-powered-by');
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }));
  app.use(express.json({ limit: '100kb' }));
  app.use('/notes', createNotes());
  app.use(answerMissing);
  app.use(answerError);
  return app;
}
