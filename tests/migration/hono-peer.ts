/** Hono as a peer of the tests here, and types of content that they send. */
import { Hono } from 'hono';
import { cameOf, type Peer, toRequest } from './pairs.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const;
export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;

export const hono: Peer<Hono> = {
  create: (options) => new Hono(options as ConstructorParameters<typeof Hono>[0]),
  ask: async (app, asked) => cameOf(await app.fetch(toRequest(asked))),
};
