/**
 * The preset `fulmar/jest` where test files are many, versions differ, and jest's own ways with modules are
 * used. Its use is in test.md.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from './commands.ts';
import { createProject } from './project.ts';

const config = "module.exports = { preset: 'fulmar/jest' };\n";
const isOurs = "Symbol.for('fulmar.version') in require('http')";

/** Runs jest on `files`, with what else it is given, to its end, which must be a good one. */
function jest(folder: string, args = '', env = ''): Promise<string> {
  return runCommand({ folder }, `${env} npx jest ${args}`);
}

const serves = `
const express = require('express');
const http = require('node:http');
test('serves', async () => {
  const app = express().use(express.json()).get('/', (req, res) => res.json(req.query));
  const server = http.createServer(app).listen(0);
  await new Promise((listening) => server.once('listening', listening));
  const reply = await fetch('http://localhost:' + server.address().port + '/?a=1');
  expect(await reply.json()).toEqual({ a: '1' });
  expect(${isOurs}).toBe(true);
  await new Promise((closed) => server.close(closed));
});`;
const many = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`serves-${index}.test.js`, serves]));

for (const args of ['--runInBand', '--maxWorkers=2', '--maxWorkers=2 --workerThreads', '--runInBand --detectOpenHandles']) {
  test(`serves in several test files, with ${args}`, async () => {
    const printed = await jest(createProject({ 'jest.config.js': config, ...many }), args);
    assert.match(printed, /^Tests: +4 passed, 4 total$/m);
  });
}

test('maps nothing where FULMAR_NO_ALIAS is set', async () => {
  const folder = createProject({
    'jest.config.js': config,
    'off.test.js': `test('is off', () => { expect(${isOurs}).toBe(false); expect(require('express')).not.toBe(require('fulmar/express')); });`,
  });
  assert.match(await jest(folder, '', 'FULMAR_NO_ALIAS=1'), /^Tests: +1 passed/m);
});

test('stands beside fulmar/register in the process of jest', async () => {
  const folder = createProject({ 'jest.config.js': config, 'serves.test.js': serves });
  assert.match(await jest(folder, '', 'NODE_OPTIONS="--import fulmar/register"'), /^Tests: +1 passed/m);
});

test('gives a test file objects and errors of its own world, as packages in jest do', async () => {
  const folder = createProject({
    'jest.config.js': config,
    'world.test.js': `
const express = require('express');
const Koa = require('koa');
const request = require('supertest');
test('express', async () => {
  let error; let body;
  const app = express().use(express.json(), express.urlencoded({ extended: true }));
  app.post('/', (req, res) => { body = req.body; res.end(); });
  app.use((failure, req, res, next) => { error = failure; res.status(failure.status).end(); });
  await request(app).post('/').send({ list: [1] }).expect(200);
  expect(body).toStrictEqual({ list: [1] });
  await request(app).post('/').type('form').send('a[b]=1').expect(200);
  expect(body).toEqual({ a: { b: '1' } });
  await request(app).post('/').type('json').send('{"a').expect(400);
  expect(error).toBeInstanceOf(SyntaxError);
});
test('koa', async () => {
  const app = new Koa();
  app.silent = true;
  app.on('error', (failure) => expect(failure).toBeInstanceOf(Error));
  app.use((ctx) => (ctx.path === '/' ? (ctx.body = { list: [1] }) : ctx.throw(418)));
  expect((await request(app.callback()).get('/')).body).toStrictEqual({ list: [1] });
  await request(app.callback()).get('/teapot').expect(418);
  expect(Koa).toBe(require('fulmar/koa'));
});
test('modules anew', async () => {
  jest.resetModules();
  const again = require('express');
  expect(again).not.toBe(express);
  expect((await request(again().get('/', (req, res) => res.send('again'))).get('/')).text).toBe('again');
});
test('a mock of http', () => {
  jest.isolateModules(() => {
    jest.doMock('http', () => 'mocked');
    expect(require('http')).toBe('mocked');
    jest.dontMock('http');
  });
});`,
  });
  assert.match(await jest(folder), /^Tests: +4 passed/m);
});

test('takes the version of Express that the importing file would get, with the modules that tools patch', async () => {
  const folder = createProject({
    'jest.config.js': config,
    'five.test.js': `test('five', () => expect(require('express')).toBe(require('fulmar/express')));`,
    'old/four.test.js': `
const express = require('express');
const Layer = require('express/lib/router/layer');
const request = require('supertest');
test('four', async () => {
  expect(express).toBe(require('fulmar/express4'));
  // As express-async-errors does.
  Object.defineProperty(Layer.prototype, 'handle', {
    get() { return this.__handle; },
    set(handle) {
      const settled = (req, res, next) => Promise.resolve(handle(req, res, next)).catch(next);
      this.__handle = handle.length === 4 ? handle : settled;
    },
  });
  const app = express().get('/', async () => { throw new TypeError('late'); });
  app.use((error, req, res, next) => res.status(500).json([error.message, error instanceof TypeError]));
  expect((await request(app).get('/')).body).toEqual(['late', true]);
});`,
  });
  const express4 = dirname(createRequire(import.meta.url).resolve('express4/package.json'));
  cpSync(express4, join(folder, 'old', 'node_modules', 'express'), { recursive: true });
  assert.match(await jest(folder), /^Tests: +2 passed/m);
});

test('stands for Express where none is installed, and leaves what is missing missing', async () => {
  const folder = createProject({
    'jest.config.js': "module.exports = { preset: 'fulmar/jest', resolver: './resolver.js' };",
    // jest's own answer to a name that nobody has.
    'resolver.js': `
const { sync } = require('fulmar/jest/resolver');
module.exports = (request, options) =>
  sync(request, { ...options, defaultResolver: (name, more) => options.defaultResolver(name === 'express' ? 'express-of-nobody' : name, more) });`,
    'none.test.js': `
test('none', () => {
  expect(typeof require('express')().listen).toBe('function');
  expect(() => require('connect')).toThrow("Cannot find module 'connect'");
});`,
  });
  assert.match(await jest(folder), /^Tests: +1 passed/m);
});

test('leaves a file of the application alone that is called as one of ours', async () => {
  const folder = createProject({
    'jest.config.js': config,
    'lib-http.cjs': "module.exports = 'mine';",
    'mine.test.js': "test('mine', () => expect(require('./lib-http.cjs')).toBe('mine'));",
  });
  assert.match(await jest(folder), /^Tests: +1 passed/m);
});
