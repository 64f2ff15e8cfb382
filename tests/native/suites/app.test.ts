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
const ONE_FILE = 'places are told, and what runs there is one file: the bundle';

interface Difference {
  readonly exceptions?: Exceptions;
  /** What it loads by name. */
  readonly packages?: readonly string[];
  /** Why it is not run at all. */
  readonly not?: string;
}

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'middleware/compress.test.ts': { packages: ['mime-db'] },
  'middleware/limits.test.ts': {
    exceptions: [[/^the memory store › (begins anew when|frees keys whose)/, 'what stands in for node:test has no timers of its own']],
  },
  'middleware/sessions-express.test.ts': { packages: ['express-session'] },
  'middleware/sessions-redis.test.ts': { packages: ['express-session', 'ioredis', 'redis', 'connect-redis'] },
  'middleware/signed-cookies.test.ts': { packages: ['cookie-signature'] },
  'place.test.ts': { exceptions: [[/^the place of a route › is /, ONE_FILE]] },
  'registry/routes.test.ts': {
    packages: ['express', 'express4', 'koa', 'koa2', '@koa/router', 'koa-router'],
    exceptions: [
      [/^routes of an app › are told with handler, schemas/, ONE_FILE],
      [/^the list of a process › keeps no application alive/, 'a program there cannot ask for a collection of garbage'],
    ],
  },
  'router/random.test.ts': { not: 'compares 2000 tables with a definition that is slow on purpose: minutes without a JIT' },
  'schemas.test.ts': { exceptions: [[/› no schema$/, ONE_FILE]] },
  'serve.test.ts': { exceptions: [[/› two routes alike$/, ONE_FILE]] },
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
