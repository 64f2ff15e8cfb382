/**
 * The harness can fail: programs that differ on purpose in one thing must be reported as different, equal
 * ones as equal.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as http from 'node:http';
import { test } from 'node:test';
import type { AppProgram, CaseOptions, ParityCase, Side } from './case.ts';
import type { ExpressModule, Handler } from './express-api.ts';
import { compareCase } from './suite.ts';

const express = createRequire(import.meta.url)('express') as ExpressModule;
const side = (name: Side['name']): Side => ({ name, express, http });
const sides = { upstream: side('upstream'), ours: side('ours') };

/** A program whose handler is told which side it runs on. */
function program(handler: (ours: boolean) => Handler, options: CaseOptions = {}): ParityCase {
  const app: AppProgram = (framework, ctx) => framework().use(handler(ctx.side === 'ours'));
  return { name: 'program', app, requests: ['GET /a', 'GET /b'], options };
}

const different: Record<string, ParityCase> = {
  'status code': program((ours) => (_req, res) => res.status(ours ? 201 : 200).send('x')),
  'reason phrase': program((ours) => (_req, res) => {
    res.statusMessage = ours ? 'Fine' : 'OK';
    res.send('x');
  }),
  'header value': program((ours) => (_req, res) => res.set('X-A', ours ? '1' : '2').send('x')),
  'header name case': program((ours) => (_req, res) => res.set(ours ? 'X-A' : 'x-a', '1').send('x')),
  'header order': program((ours) => (_req, res) => {
    for (const name of ours ? ['X-A', 'X-B'] : ['X-B', 'X-A']) res.set(name, '1');
    res.send('x');
  }),
  'one body byte': program((ours) => (_req, res) => res.send(Buffer.from([1, ours ? 2 : 3]))),
  'framing of the same body': program((ours) => (_req, res) => {
    if (!ours) res.setHeader('Content-Length', 1);
    res.write('x');
    res.end();
  }),
  trailers: program((ours) => (_req, res) => {
    res.write('x');
    res.addTrailers({ 'X-T': ours ? '1' : '2' });
    res.end();
  }),
  'fate of the connection with the same header fields': program((ours) => (req, res) => {
    res.once('finish', () => {
      if (ours) req.socket.end();
    });
    res.send('x');
  }),
  'interim replies': program((ours) => (_req, res) => {
    if (ours) res.writeProcessing();
    res.send('x');
  }),
  'console output': program((ours) => (_req, res) => {
    if (ours) console.error('oops');
    res.send('x');
  }),
  'date format': program((ours) => (_req, res) => res.set('Date', ours ? 'yesterday' : new Date().toUTCString()).send('x')),
};

for (const [name, parity] of Object.entries(different)) {
  test(`reports programs that differ in: ${name}`, async () => {
    const { equal, upstream, ours } = await compareCase(parity, sides);
    assert.equal(equal, false, JSON.stringify({ upstream, ours }, null, 1));
  });
}

test('reports programs that differ in: what handlers note', async () => {
  const app: AppProgram = (framework, ctx) =>
    framework().use((_req, res) => {
      ctx.record(ctx.side);
      res.send('x');
    });
  assert.equal((await compareCase({ name: 'notes', app, requests: ['GET /'] }, sides)).equal, false);
});

test('reports programs that differ in: the error that setting them up throws', async () => {
  const app: AppProgram = (_framework, ctx) => {
    throw new Error(ctx.side);
  };
  assert.equal((await compareCase({ name: 'setup', app }, sides)).equal, false);
});

test('reports programs that differ in: uncaught errors', async () => {
  const app: AppProgram = (framework, ctx) =>
    framework().use((_req, res) => {
      const done = ctx.pending();
      setImmediate(() => {
        done();
        if (ctx.side === 'ours') throw new Error('thrown later');
      });
      res.send('x');
    });
  const { equal, ours } = await compareCase({ name: 'uncaught', app, requests: ['GET /'] }, sides);
  assert.equal(equal, false);
  assert.deepEqual(ours.uncaught, ['Error: thrown later']);
});

test('calls equal programs equal, with dates, keep-alive and stack frames on both sides', async () => {
  const parity = program(() => (req, res) => {
    if (req.path === '/b') throw new Error('same message');
    res.send('x');
  });
  const { equal, upstream } = await compareCase(parity, sides);
  assert.equal(equal, true);
  assert.deepEqual(
    upstream.replies.map((reply) => [reply.statusLine, reply.fate]),
    [
      ['HTTP/1.1 200 OK', 'open'],
      ['HTTP/1.1 500 Internal Server Error', 'open'],
    ],
  );
});

test('reads pipelined, chunked, HEAD, 304 and close-delimited replies one after the other', async () => {
  const app: AppProgram = (framework) =>
    framework()
      .get('/chunks', (_req, res) => {
        res.write('ab');
        res.end('cd');
      })
      .get('/empty', (_req, res) => res.status(304).end())
      .get('/plain', (_req, res) => res.send('plain'));
  const requests = [
    { path: '/chunks' },
    { method: 'HEAD', path: '/plain' },
    'GET /empty',
    'GET /plain',
    { path: '/chunks', version: '1.0' as const },
  ];
  const parity: ParityCase = { name: 'pipelined', app, requests, options: { connection: 'pipelined' } };
  const { equal, upstream } = await compareCase(parity, sides);
  assert.equal(equal, true);
  const seen = upstream.replies.map((reply) => [reply.framing, reply.body, reply.failure, reply.fate]);
  assert.deepEqual(seen, [
    ['chunked', 'abcd', undefined, undefined],
    ['none', '', undefined, undefined],
    ['none', '', undefined, undefined],
    ['length', 'plain', undefined, undefined],
    ['close', 'abcd', undefined, 'closed'],
  ]);
});
