/** Fastify as a peer of the tests here, and types of content that they send. */
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import type { Peer } from './pairs.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' } as const;
export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;

export const fastify: Peer<FastifyInstance> = {
  create: (options) => Fastify(options),
  async ask(app, { url, method, headers, body }) {
    const {
      statusCode,
      headers: fields,
      body: text,
    } = await app.inject({
      url,
      method: (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET',
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { payload: body }),
    } satisfies InjectOptions);
    return { status: statusCode, field: (name) => fields[name]?.toString(), text };
  },
};
