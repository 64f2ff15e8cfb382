// Which imports lead to ours, for whom.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createAliaser } from '../../src/cli/aliases.ts';
import { writeProject } from './support.ts';

const http = { require: '/own/dist/http.cjs', import: '/own/dist/http.mjs' };
const express = { require: '/own/dist/express.cjs', import: '/own/dist/express.mjs' };
const aliasOf = (specifier: string, importer: string | undefined) =>
  createAliaser({ http, express, ownFolder: '/own/dist' })(specifier, importer);

const folder = writeProject({
  'node_modules/express/package.json': '{"version":"5.3.0"}',
  'node_modules/old/node_modules/express/package.json': '{"version":"4.22.3"}',
  'node_modules/old/node_modules/express/lib/express.js': '',
  'node_modules/broken/node_modules/express/package.json': 'not json',
  'node_modules/next/node_modules/express/package.json': '{"version":"6.0.0-alpha.1"}',
  'node_modules/plain/index.js': '',
});
const bare = writeProject({ 'app.js': '' });

describe('aliases', () => {
  const cases: [title: string, specifier: string, importer: string | undefined, expected: unknown][] = [
    ['maps http for the application', 'http', join(folder, 'app.js'), http],
    ['maps node:http for the application', 'node:http', join(folder, 'app.js'), http],
    ['maps http for a dependency', 'http', join(folder, 'node_modules/plain/index.js'), http],
    ['maps http inside upstream express 4', 'node:http', join(folder, 'node_modules/old/node_modules/express/lib/express.js'), http],
    ['maps express where version 5 is installed', 'express', join(folder, 'src/deep/app.ts'), express],
    ['maps express for a dependency that would get version 5', 'express', join(folder, 'node_modules/plain/index.js'), express],
    ['maps express where none is installed', 'express', join(bare, 'app.js'), express],
    ['maps for code without a file', 'http', undefined, http],
    ['leaves express 4 alone', 'express', join(folder, 'node_modules/old/index.js'), undefined],
    ['leaves express 6 alone', 'express', join(folder, 'node_modules/next/index.js'), undefined],
    ['leaves an express with a broken manifest to upstream', 'express', join(folder, 'node_modules/broken/index.js'), undefined],
    ['leaves deep imports alone', 'express/lib/router', join(folder, 'app.js'), undefined],
    ['leaves the manifest of express alone', 'express/package.json', join(folder, 'app.js'), undefined],
    ['leaves https alone', 'https', join(folder, 'app.js'), undefined],
    ['leaves http2 alone', 'node:http2', join(folder, 'app.js'), undefined],
    ['leaves packages with a similar name alone', 'express-session', join(folder, 'app.js'), undefined],
    ['leaves our own code alone', 'node:http', '/own/dist/lib-http.cjs', undefined],
    ['maps for a folder whose name only begins like ours', 'node:http', '/own/dist-other/app.js', http],
  ];
  for (const [title, specifier, importer, expected] of cases) {
    it(title, () => assert.equal(aliasOf(specifier, importer), expected));
  }
});
