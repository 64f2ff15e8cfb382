/**
 * Every way to start an application gives packages beside Nest the same Nest: `fulmar run`, a preload, a test of jest's;
 * and an application that is Nest's own keeps its own.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { here } from './support/changed.ts';
import { command } from './support/play.ts';

const run = promisify(execFile);
const jest = fileURLToPath(new URL('../guides/node_modules/jest/bin/jest.js', import.meta.url));
const register = fileURLToPath(new URL('../../packages/fulmar/bin/register.cjs', import.meta.url));
const folder = mkdtempSync(join(here, 'changed-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const manifest = (name: string, dependencies: Record<string, string>, type = 'commonjs'): string =>
  JSON.stringify({ name, type, dependencies: { fulmar: '*', '@nestjs/throttler': '*', '@nestjs/passport': '*', ...dependencies } });

/** Says whether a package that is CommonJS and one that is an ES module have the classes of `fulmar/controllers`. */
const sees = `
const { Logger: Theirs } = require_('@nestjs/common');
console.log('throttler', Reflect.getMetadata('design:paramtypes', ThrottlerGuard).includes(Reflector));
try {
  new (AuthGuard('none'))().handleRequest(null, null);
} catch (error) {
  console.log('passport', error instanceof UnauthorizedException, Theirs === Logger);
}
`;
const commonjs = `
const { Reflector, Logger, UnauthorizedException } = require('fulmar/controllers');
const { ThrottlerGuard } = require('@nestjs/throttler');
const { AuthGuard } = require('@nestjs/passport');
const require_ = require;
${sees}`;
const module = `
import { Reflector, Logger, UnauthorizedException } from 'fulmar/controllers';
import * as common from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { AuthGuard } from '@nestjs/passport';
const require_ = () => common;
${sees}`;
const inject = `
require('reflect-metadata');
const { Module, NestFactory } = require('fulmar/controllers');
const { ThrottlerModule, ThrottlerGuard } = require('@nestjs/throttler');
class App {}
Module({ imports: [ThrottlerModule.forRoot([{ ttl: 1000, limit: 1 }])], providers: [ThrottlerGuard] })(App);
NestFactory.create(App).catch(({ message }) => console.log(message));`;
const ours = 'throttler true\npassport true true\n';

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

write({
  'ours/package.json': manifest('ours', {}),
  'ours/main.cjs': commonjs,
  'ours/main.mjs': module,
  'ours/inject.cjs': inject,
  'ours/node_modules/runner/package.json': JSON.stringify({ name: 'runner', type: 'module' }),
  'ours/node_modules/runner/cli.js': "await import(new URL('../../main.mjs', import.meta.url).href);",
  'nests/package.json': manifest('nests', { '@nestjs/core': '*' }),
  'nests/main.cjs': commonjs,
  'nests/inject.cjs': inject,
  'jest/package.json': manifest('jest-app', {}),
  'jest/jest.config.json': JSON.stringify({
    preset: 'fulmar/jest',
    testMatch: ['**/*.test.cjs'],
    modulePaths: [join(here, 'node_modules')],
  }),
  'jest/same.test.cjs': `
const { Reflector, NotFoundException } = require('fulmar/controllers');
const { ThrottlerGuard } = require('@nestjs/throttler');
test('a package has ours', () => {
  expect(Reflect.getMetadata('design:paramtypes', ThrottlerGuard)).toContain(Reflector);
  expect(new (require('@nestjs/common').NotFoundException)()).toBeInstanceOf(NotFoundException);
  expect(require('@nestjs/testing').Test).toBe(require('fulmar/controllers/testing').Test);
});`,
});

async function printed(words: readonly string[], cwd = folder): Promise<string> {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout } = await run(process.execPath, [...words], { cwd, env: { ...env, NO_COLOR: '1', PORT: '0' } });
  return stdout;
}

describe('packages beside Nest get ours', () => {
  const ways: [title: string, words: readonly string[]][] = [
    ['under `fulmar run`, in CommonJS', [command, 'run', 'ours/main.cjs']],
    ['under `fulmar run`, in an ES module', [command, 'run', 'ours/main.mjs']],
    ['under `fulmar run` with options of Node', [command, 'run', '--stack-trace-limit=20', 'ours/main.cjs']],
    ['with --import of fulmar/register', ['--import', register, 'ours/main.mjs']],
    ['with --require of fulmar/register', ['--require', register, 'ours/main.cjs']],
  ];
  for (const [title, words] of ways) {
    it(title, async () => assert.equal(await printed(words), ours));
  }
  it('with --import, where what starts is a package, as runners of tests are', async () =>
    assert.equal(await printed(['--import', register, 'node_modules/runner/cli.js'], join(folder, 'ours')), ours));
  it('in tests of jest', async () => {
    const words = [jest, '--rootDir', join(folder, 'jest'), '--config', join(folder, 'jest/jest.config.json')];
    await printed(words, join(folder, 'jest'));
  });
});

describe('an application that declares @nestjs/core', () => {
  it('keeps what it has installed', async () =>
    assert.equal(await printed([command, 'run', 'nests/main.cjs']), 'throttler false\npassport false false\n'));
  it('is told what to do where it mixes the two', async () => {
    const text = await printed([command, 'run', 'nests/inject.cjs']);
    assert.match(text, /Reflector at index \[2\] is not available in \w+\. It is that of the package @nestjs\/core/);
    assert.match(text, /take it out, with @nestjs\/common/);
  });
  it('is told the same where node alone starts one that is ours', async () => {
    const text = await printed([join(folder, 'ours/inject.cjs')]);
    assert.match(text, /It is that of the package @nestjs\/core, .* not with node alone\./);
  });
});

it('`fulmar doctor` tells where names of Nest lead', async () => {
  const text = await printed([command, 'doctor', join(here, 'apps/jobs/main.ts')]);
  assert.match(text, /@nestjs\/common 12\.5\.1 +→ fulmar\/controllers/);
  assert.match(text, /@nestjs\/core\/injector\/injector\.js 12\.5\.1 +→ fulmar\/controllers/);
});
