/**
 * Makes a random Koa program from a seed: the same seed gives the same program on every machine. Never runs
 * it.
 */
import type { StructuredRequest } from '../../harness/case.ts';
import { Random } from '../../harness/random/random.ts';
import { BODIES, FAILURES, type MiddlewareModel, type NextUse, type ProgramModel, type Step } from './model.ts';

const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE'] as const;
const PATHS = ['/', '/a', '/a/b?c=1', '/%20?x=%zz', '//d', '/?a=1&a=2'] as const;
// Not 205: Koa's reply with it closes the connection, and how much of an upload is read by then is chance.
const STATUSES = [200, 201, 202, 204, 304, 400, 404, 500] as const;
const TYPES = ['html', 'json', 'text/plain', 'png', '', 'application/problem+json', 'unknown-thing'] as const;
const FIELDS = ['X-One', 'x-two', 'Vary', 'Cache-Control', 'Content-Language'] as const;
/** Web bodies are for Koa 3; Koa 2 would send them as JSON. */
const WAYS: readonly NextUse[] = [
  'await',
  'await',
  'await',
  'await',
  'await',
  'return',
  'return',
  'then',
  'forget',
  'twice',
  'twice-at-once',
  'none',
];

export function generateProgram(seed: number): ProgramModel {
  const random = new Random(seed);
  const ids = { next: 0 };
  return settled(draw(random, ids));
}

/**
 * The program without what depends on chance: how far a reply or the next request is when something else goes
 * on.
 */
function settled(program: ProgramModel): ProgramModel {
  const text = JSON.stringify(program);
  // A body that is replaced by a forgotten rest is cut off wherever it is, so it is one that is sent at once.
  const calm = text.includes('"forget"') ? text.replaceAll(/"(late-|large-|web-)?stream"|"blob"|"response"/g, '"text"') : text;
  // What waits for the end of a reply waits for ever when a pipelined connection is lost before it.
  return { ...(JSON.parse(calm) as ProgramModel), pipelined: program.pipelined && !text.includes('"late"') };
}

function draw(random: Random, ids: { next: number }): ProgramModel {
  return {
    version: random.chance(0.65) ? 3 : 2,
    storage: random.chance(0.15),
    proxy: random.chance(0.2),
    listens: random.chance(0.6),
    middleware: random.list(1, 5, () => middleware(random, ids)),
    requests: random.list(1, 4, () => request(random)),
    pipelined: random.chance(0.1),
  };
}

function request(random: Random): StructuredRequest {
  const method = random.pick(METHODS);
  const headers: Record<string, string> = {};
  if (random.chance(0.2)) headers['Accept'] = random.pick(['text/html', 'application/json', '*/*']);
  if (random.chance(0.15)) headers['If-None-Match'] = random.pick(['"tag"', '*']);
  if (random.chance(0.1)) headers['X-Forwarded-For'] = '203.0.113.5, 10.0.0.1';
  if (random.chance(0.1)) headers['Cookie'] = 'a=1; b=2';
  const base = { method, path: random.pick(PATHS), headers };
  return method === 'POST' || method === 'PUT' ? { ...base, body: random.pick(['', 'content', 'x'.repeat(70_000)]) } : base;
}

function middleware(random: Random, ids: { next: number }): MiddlewareModel {
  return {
    id: ids.next++,
    style: random.chance(0.75) ? 'async' : 'plain',
    before: random.list(0, 3, () => step(random)),
    next: random.pick(WAYS),
    after: random.list(0, 3, () => step(random)),
    catches: random.chance(0.75) ? 'no' : random.pick(['answer', 'rethrow', 'swallow'] as const),
  };
}

function step(random: Random): Step {
  const kind = random.int(40);
  if (kind < 12) return { do: 'body', kind: random.pick(BODIES) };
  if (kind < 17) return { do: 'wait', for: random.pick(['microtask', 'promises', 'tick', 'immediate'] as const) };
  if (kind < 20) return { do: 'status', code: random.pick(STATUSES) };
  if (kind < 24) return simple(random);
  if (kind < 27) return { do: 'note' };
  if (kind === 27) return { do: 'type', type: random.pick(TYPES) };
  if (kind === 28) return { do: 'redirect', to: random.pick(['/there', 'http://other.test/ü', 'back']) };
  if (kind === 29) return { do: 'cookie' };
  if (kind === 30) return { do: 'etag' };
  if (kind === 31) return { do: 'state', value: random.pick(['s1', 's2']) };
  if (kind === 32) return { do: 'url', url: random.pick(['/new?y=1', '/']) };
  if (kind === 33) return { do: 'read-content' };
  if (kind === 34) return { do: 'late', step: simple(random) };
  if (kind < 38) return { do: 'fail', how: random.pick(['throw', 'reject'] as const), value: random.pick(FAILURES) };
  return { do: random.pick(['end', 'flush', 'bypass', 'onerror'] as const) };
}

function simple(random: Random): Step {
  const name = random.pick(FIELDS);
  const value = random.pick(['1', 'two', 'Origin']);
  const kind = random.int(5);
  if (kind < 2) return { do: 'field', name, value };
  if (kind === 2) return { do: 'append', name, value };
  if (kind === 3) return { do: 'remove', name: random.pick([...FIELDS, 'Content-Type']) };
  return { do: 'message', text: random.pick(['Made Up', 'OK']) };
}
