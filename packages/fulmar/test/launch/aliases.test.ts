/** Which imports lead to ours, for whom. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createAliaser, mayBeAliased, type PackageSighting } from '../../src/launch/modules/aliases.ts';
import { aliasedPackages, type AliasTargets, toHookSettings } from '../../src/launch/settings.ts';
import { writeProject } from './support.ts';

const http = { require: '/own/dist/http.cjs', import: '/own/dist/http.mjs' };
const express = { require: '/own/dist/express.cjs', import: '/own/dist/express.mjs' };
const newer = { require: '/own/dist/newer.cjs', import: '/own/dist/newer.mjs' };
const toTargets = (versions: [number, typeof http][]): AliasTargets => ({
  http,
  zlib: '/own/dist/zlib.cjs',
  packages: new Map([['express', new Map(versions)]]),
  parts: new Map(),
  nest: new Map(),
  ownFolder: '/own/dist',
});
const aliasOf = createAliaser(toTargets([[5, express]]));

const folder = writeProject({
  'node_modules/express/package.json': '{"version":"5.3.0"}',
  'node_modules/old/node_modules/express/package.json': '{"version":"3.21.2"}',
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
    ['maps http inside upstream express 3', 'node:http', join(folder, 'node_modules/old/node_modules/express/lib/express.js'), http],
    ['maps express where version 5 is installed', 'express', join(folder, 'src/deep/app.ts'), express],
    ['maps express for a dependency that would get version 5', 'express', join(folder, 'node_modules/plain/index.js'), express],
    ['maps express where none is installed', 'express', join(bare, 'app.js'), express],
    ['maps for code without a file', 'http', undefined, http],
    ['leaves express 3 alone', 'express', join(folder, 'node_modules/old/index.js'), undefined],
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

describe('aliases of zlib', () => {
  const modules = '/app/node_modules';
  const cases: [title: string, specifier: string, importer: string | undefined, expected: string | undefined][] = [
    ['maps it for compression', 'zlib', `${modules}/compression/index.js`, '/own/dist/zlib.cjs'],
    ['maps node:zlib for koa-compress', 'node:zlib', `${modules}/koa-compress/lib/index.js`, '/own/dist/zlib.cjs'],
    ['maps it for @fastify/compress', 'node:zlib', `${modules}/@fastify/compress/index.js`, '/own/dist/zlib.cjs'],
    ['maps it for a package within another', 'zlib', `${modules}/a/node_modules/compression/index.js`, '/own/dist/zlib.cjs'],
    ['leaves it alone for the application', 'zlib', '/app/server.js', undefined],
    ['leaves it alone for code without a file', 'zlib', undefined, undefined],
    ['leaves it alone for other packages', 'zlib', `${modules}/destroy/index.js`, undefined],
    ['leaves it alone for packages with a similar name', 'zlib', `${modules}/compression-webpack-plugin/index.js`, undefined],
    ['leaves it alone for what compression depends on', 'zlib', `${modules}/compression/node_modules/destroy/index.js`, undefined],
  ];
  for (const [title, specifier, importer, expected] of cases) {
    it(title, () => assert.equal(aliasOf(specifier, importer)?.require, expected));
  }

  it('tells of each package once', () => {
    const sightings: PackageSighting[] = [];
    const telling = createAliaser(toTargets([]), (sighting) => sightings.push(sighting));
    telling('zlib', `${modules}/compression/index.js`);
    telling('zlib', `${modules}/compression/index.js`);
    assert.deepEqual(
      sightings.map(({ name, zlib }) => [name, zlib]),
      [['compression', '/own/dist/zlib.cjs']],
    );
  });
});

describe('aliases of several versions', () => {
  const targets = toTargets([
    [5, express],
    [6, newer],
    [3, http],
  ]);

  it('follow the version that the importing file would get', () => {
    const find = createAliaser(targets);
    assert.equal(find('express', join(folder, 'app.js')), express);
    assert.equal(find('express', join(folder, 'node_modules/next/index.js')), newer);
    assert.equal(find('express', join(folder, 'node_modules/old/index.js')), http);
  });

  it('are the newest where none is installed', () => {
    assert.equal(createAliaser(targets)('express', join(bare, 'app.js')), newer);
  });

  it('are reported once for each package that is found, whoever imports it', () => {
    const seen: PackageSighting[] = [];
    const find = createAliaser(targets, (sighting) => seen.push(sighting));
    for (const file of ['app.js', 'src/deep/app.ts', 'node_modules/plain/index.js', 'node_modules/old/index.js', 'app.js']) {
      find('express', join(folder, file));
    }
    find('express', join(folder, 'node_modules/broken/index.js'));
    find('express', join(bare, 'app.js'));
    find('http', join(folder, 'app.js'));
    assert.deepEqual(seen, [
      { name: 'express', version: '5.3.0', folder: join(folder, 'node_modules/express'), target: express },
      { name: 'express', version: '3.21.2', folder: join(folder, 'node_modules/old/node_modules/express'), target: http },
      { name: 'express', version: undefined, folder: join(folder, 'node_modules/broken/node_modules/express'), target: undefined },
      { name: 'express', version: undefined, folder: bare, target: newer },
    ]);
  });

  it('stand for Express 4 and 5 in the command line', () => {
    const { targets } = toHookSettings('/own/bin/fulmar.cjs', { alias: true, verbose: false });
    const majors = [...(targets?.packages.get('express') ?? [])].map(([major, target]) => [major, target.require, target.import]);
    assert.deepEqual(majors, [
      [4, join('/own/dist/express4.cjs'), join('/own/dist/express4.mjs')],
      [5, join('/own/dist/express.cjs'), join('/own/dist/express.mjs')],
    ]);
    assert.equal(toHookSettings('/own/bin/fulmar.cjs', { alias: false, verbose: false }).targets, null);
  });

  it('are asked for exactly the packages of the table', () => {
    assert.deepEqual(
      ['http', 'node:http', ...Object.keys(aliasedPackages)].filter((name) => !mayBeAliased(name)),
      [],
    );
    for (const name of ['https', 'toString', 'constructor', 'router', '']) assert.equal(mayBeAliased(name), false, name);
  });
});
