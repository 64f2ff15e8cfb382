/**
 * Apollo Server, in Express and standalone: queries, batches, persisted queries, caching, CSRF prevention,
 * errors, subscriptions, draining.
 */
import { compareApp } from '../support/compare.ts';
import { limits, NONCES, queries, subscriptions } from './conversations.ts';

const folder = new URL('./', import.meta.url);

compareApp({
  name: 'Apollo Server in Express',
  folder,
  file: 'server.js',
  express: 'fulmar/express',
  handlesSigterm: true,
  masks: NONCES,
  conversations: [...queries('/graphql'), limits('/graphql', 413), ...subscriptions],
});

compareApp({
  name: 'Apollo Server standalone',
  folder,
  file: 'standalone.js',
  // Otherwise its pages about errors show stacks, and those name what called the application.
  env: { NODE_ENV: 'production' },
  express: 'none',
  handlesSigterm: true,
  masks: NONCES,
  conversations: [...queries('/'), limits('/', 200)],
});
