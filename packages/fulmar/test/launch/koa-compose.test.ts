/** Which koa-compose our Koa is told of. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { koaComposeOf, koaComposeStatement } from '../../src/launch/modules/koa-compose.ts';
import { writeProject } from './support.ts';

const folder = writeProject({
  'server.js': '',
  'node_modules/koa/package.json': '{"version":"3.0.1"}',
  'node_modules/koa-compose/package.json': '{"version":"4.2.0"}',
  'old/server.js': '',
  'old/node_modules/koa/package.json': '{"version":"2.16.4"}',
  'old/node_modules/koa/node_modules/koa-compose/package.json': '{"version":"4.1.0"}',
});

describe('the version of koa-compose', () => {
  it('is that which Koa would get', () => {
    assert.equal(koaComposeOf(join(folder, 'node_modules/koa')), '4.2.0');
    assert.equal(koaComposeOf(join(folder, 'old/node_modules/koa')), '4.1.0');
    assert.equal(koaComposeOf('/nowhere'), undefined);
  });

  it('is written into a built file', () => {
    const key = 'globalThis[Symbol.for("fulmar.koaCompose")]';
    assert.equal(koaComposeStatement(join(folder, 'old/server.js')), `${key} = "4.1.0";\n`);
    assert.equal(koaComposeStatement('/nowhere/server.js'), '');
  });
});
