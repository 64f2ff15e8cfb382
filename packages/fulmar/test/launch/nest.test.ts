/** Whose Nest the packages beside it get. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createNeighbourFinder, createNestFinder, hasPackagesOfNest, isWithoutNest } from '../../src/launch/nest/applications.ts';
import { writeProject } from './support.ts';

const json = (value: unknown): string => JSON.stringify(value);
const core = { '@nestjs/core': '12' };

const folder = writeProject({
  'ours/package.json': json({ name: 'ours', dependencies: { fulmar: '1', '@nestjs/config': '12' } }),
  'ours/dist/package.json': json({ type: 'commonjs' }),
  'ours/node_modules/@nestjs/config/package.json': json({ name: '@nestjs/config', peerDependencies: { '@nestjs/common': '12' } }),
  'ours/node_modules/plain/package.json': json({ name: 'plain' }),
  'ours/node_modules/server/package.json': json({ name: 'server', dependencies: core }),
  'nests/package.json': json({ name: 'nests', dependencies: { ...core, fulmar: '1' } }),
  'dev/package.json': json({ name: 'dev', devDependencies: core, dependencies: { fulmar: '1' } }),
  'express/package.json': json({ name: 'express-app', dependencies: { express: '5' } }),
  'fulmar/package.json': json({ name: 'fulmar-app', dependencies: { fulmar: '1' } }),
  'broken/package.json': '{',
  'space/package.json': json({ name: 'space', workspaces: ['apps/*'], devDependencies: core }),
  'space/apps/one/package.json': json({ name: 'one', dependencies: { fulmar: '1' } }),
  'pnpm/package.json': json({ name: 'pnpm', dependencies: core }),
  'pnpm/pnpm-workspace.yaml': '',
  'pnpm/apps/one/package.json': json({ name: 'one', dependencies: { '@nestjs/jwt': '12' } }),
  'above/package.json': json({ name: 'above', dependencies: core }),
  'above/one/package.json': json({ name: 'one', dependencies: { fulmar: '1' } }),
});
const at = (path: string): string => join(folder, path);

describe('an application is ours', () => {
  const cases: [title: string, entry: string, expected: boolean][] = [
    ['where its manifest names packages beside Nest and no @nestjs/core', 'ours/src/main.ts', true],
    ['by the manifest of its package, not by one that only says how files are read', 'ours/dist/main.js', true],
    ['not where it declares @nestjs/core', 'nests/main.ts', false],
    ['not where it declares it for development', 'dev/main.ts', false],
    ['not where its manifest names neither Fulmar nor Nest', 'express/main.js', false],
    ['where it names Fulmar alone', 'fulmar/main.ts', true],
    ['not where its manifest cannot be read', 'broken/main.ts', false],
    ['not where the root of its workspace declares @nestjs/core', 'space/apps/one/main.ts', false],
    ['the same in a workspace of pnpm', 'pnpm/apps/one/src/main.ts', false],
    ['whatever stands in a folder above that is no workspace', 'above/one/main.ts', true],
    ['not where it is a package that brings its own Nest', 'ours/node_modules/server/cli.js', false],
  ];
  for (const [title, entry, expected] of cases) it(title, () => assert.equal(isWithoutNest(at(entry)), expected));

  it('needs the thread of old Nodes only where a package of Nest is declared', () => {
    assert.equal(hasPackagesOfNest(at('ours/main.mjs')), true);
    assert.equal(hasPackagesOfNest(at('fulmar/main.mjs')), false);
    assert.equal(hasPackagesOfNest(at('nests/main.mjs')), false);
  });
});

describe('names of Nest', () => {
  const ours = { require: '/own/controllers.cjs', import: '/own/controllers.mjs' };
  const find = (entry: string, seen: unknown[] = []) =>
    createNestFinder(
      new Map([['@nestjs/common', ours]]),
      () => at(entry),
      (name, target) => seen.push([name, target]),
    );

  it('lead to ours for the application and for packages beside it', () => {
    for (const importer of ['ours/main.ts', 'ours/node_modules/@nestjs/config/index.js'])
      assert.equal(find('ours/main.ts')('@nestjs/common', at(importer)), ours);
  });
  it('stay for what Nest itself consists of', () => {
    for (const part of ['common', 'core', 'platform-fastify', 'microservices'])
      assert.equal(find('ours/main.ts')('@nestjs/common', at(`ours/node_modules/@nestjs/${part}/index.js`)), undefined);
  });
  it('stay in an application of Nest', () => assert.equal(find('nests/main.ts')('@nestjs/common', at('nests/main.ts')), undefined));
  it('are told of once', () => {
    const seen: unknown[] = [];
    const lead = find('ours/main.ts', seen);
    for (let times = 0; times < 3; times += 1) lead('@nestjs/common', at('ours/main.ts'));
    assert.deepEqual(seen, [['@nestjs/common', ours]]);
  });
});

describe('packages beside Nest', () => {
  const isNeighbour = createNeighbourFinder(() => at('ours/main.ts'));
  it('are those whose manifest wants it', () => {
    assert.equal(isNeighbour(at('ours/node_modules/@nestjs/config/dist/index.js')), true);
    assert.equal(isNeighbour(at('ours/node_modules/plain/index.js')), false);
  });
  it('are not what Nest consists of, nor files of the application', () => {
    assert.equal(isNeighbour(at('ours/node_modules/@nestjs/core/index.js')), false);
    assert.equal(isNeighbour(at('ours/main.ts')), false);
  });
  it('are left alone in an application of Nest', () =>
    assert.equal(createNeighbourFinder(() => at('nests/main.ts'))(at('ours/node_modules/@nestjs/config/index.js')), false));
});
