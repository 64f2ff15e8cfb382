/**
 * The tests of the typed app on the QuickJS host: its behaviour cases, each over a socket, through `inject`,
 * through `fetch` and through two adapters. A file that is new is run without being named here.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../harness/host.ts';
import { defineNativeRun, type Exceptions } from './run.ts';

const FOLDER = 'packages/fulmar/test/app';

interface Difference {
  readonly exceptions?: Exceptions;
  /** What it loads by name. */
  readonly packages?: readonly string[];
  /** Why it is not run at all. */
  readonly not?: string;
}

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'middleware/compress.test.ts': { packages: ['mime-db'] },
  'middleware/sessions-express.test.ts': { packages: ['express-session'] },
  'middleware/sessions-redis.test.ts': { packages: ['express-session', 'ioredis', 'redis', 'connect-redis'] },
  'middleware/signed-cookies.test.ts': { packages: ['cookie-signature'] },
  'openapi/serve.test.ts': {
    exceptions: [[/› says what to install for a page/, 'what is installed cannot be asked for: there is nothing but the program']],
  },
  'place.test.ts': {
    exceptions: [[/^the place of a route › is that of the call of/, 'places are in the bundle, and the test looks for its own file']],
  },
  'registry/routes.test.ts': {
    packages: ['express', 'express4', 'koa', 'koa2', '@koa/router', 'koa-router'],
    exceptions: [[/^the list of a process › keeps no application alive/, 'a program there cannot ask for a collection of garbage']],
  },
  'router/random.test.ts': { not: 'compares 2000 tables with a definition that is slow on purpose: minutes without a JIT' },
};

const files = readdirSync(join(root, FOLDER), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts'))
  .toSorted();

for (const file of files) {
  const { not, exceptions, packages } = DIFFERENCES[file] ?? {};
  if (not === undefined) defineNativeRun(`${FOLDER}/${file}`, exceptions, packages);
}

test('every difference is one of a file that is there', () => {
  assert.deepEqual(
    Object.keys(DIFFERENCES).filter((file) => !files.includes(file)),
    [],
  );
});
