/**
 * A newcomer installs the packages into a fresh folder and runs an application: with each package manager, as
 * from npm, and from tarballs.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { npm, pnpm, yarnClassic, yarnPlugAndPlay } from './support/managers.ts';
import { engineName, nativeName, packed, type Packed } from './support/packed.ts';
import { bytesIn, fulmar, must, newProject, plainEnv, removeProjects, run } from './support/project.ts';
import { type Registry, startRegistry } from './support/registry.ts';

/** What `npm i fulmar` may take, by the promise of docs/guide/install.md. */
const INSTALLED_BYTES_MAX = 24e6;

let packages: Packed;
let registry: Registry;
before(async () => {
  packages = packed();
  registry = await startRegistry(packages);
});
after(() => {
  registry.close();
  removeProjects();
});

/** Asks the application for a page, prints it with what serves it, and ends. */
const visit = `
async function visit(server) {
  const { port } = server.address();
  const text = await (await fetch('http://127.0.0.1:' + port + '/birds/wren')).text();
  const engine = process.versions.quickjs === undefined && process.report.getReport().sharedObjects.some((file) => file.endsWith('.node') && file.includes('fulmar.'));
  console.log(text, engine ? 'by the engine' : 'by Node');
  process.exit();
}`;
const express = (server: string): string => `
const app = express();
app.get('/birds/:name', (req, res) => void res.send('a ' + req.params.name));
const server = ${server};${visit}`;

const commonJs = `const express = require('express');${express("app.listen(0, '127.0.0.1', () => visit(server))")}`;
const esm = `import { createServer } from 'fulmar/http';
const server = createServer((req, res) => res.end('a ' + req.url.slice(7))).listen(0, '127.0.0.1', () => visit(server));${visit}`;
const typeScript = `import express, { type Request, type Response } from 'express';
const enum Bird { Wren = 'wren' }
const app = express();
app.get('/birds/:name', (req: Request, res: Response) => void res.send(req.params.name === Bird.Wren ? 'a wren' : 'none'));
const server = app.listen(0, '127.0.0.1', () => visit(server));${visit.replace('(server)', '(server: any)')}`;
const files = { 'package.json': { name: 'newcomer', private: true }, 'app.cjs': commonJs, 'app.mjs': esm, 'app.ts': typeScript };
const served = 'a wren by the engine\n';

for (const manager of [npm, pnpm, yarnClassic, yarnPlugAndPlay]) {
  describe(`installed with ${manager.name}`, () => {
    let folder = '';
    const exec = (...words: string[]) => run(...manager.exec(folder, words), folder);
    before(async () => {
      folder = newProject(files);
      await must(manager.install(folder, ['fulmar', 'express@5', 'oxc-transform@0.158', 'rolldown@^1.3.2', nativeName], registry.url));
    });

    it('serves CommonJS, ES modules and TypeScript with the engine', async () => {
      assert.equal(await must(exec('fulmar', 'run', 'app.cjs')), served);
      assert.equal(await must(exec('node', 'app.mjs')), served);
      assert.equal(await must(exec('fulmar', 'run', 'app.ts')), served);
    });

    it('builds one file, and an executable', async () => {
      const elsewhere = newProject({});
      await must(exec('fulmar', 'build', 'app.ts', '-o', join(elsewhere, 'built.mjs')));
      const env = plainEnv({ FULMAR_BUILD_CACHE: join(elsewhere, 'cache') });
      assert.equal(await must(run('node', ['built.mjs'], elsewhere, env)), served);
      await must(exec('fulmar', 'build', 'app.cjs', '--native', '-o', join(elsewhere, 'built')));
      assert.match(await must(run(join(elsewhere, 'built'), [], elsewhere)), /^a wren /);
    });
  });
}

describe('installed from the tarballs, as README tells', () => {
  const folder = newProject(files);
  before(async () => {
    await must(npm.install(folder, [packages.main, packages.engine, 'express@5'], registry.url));
  });

  it('brings no compiler, no bundler and no types', () => {
    const modules = join(folder, 'node_modules');
    assert.deepEqual(
      ['rolldown', 'oxc-transform', '@types', nativeName].filter((name) => existsSync(join(modules, name))),
      [],
    );
    const own = ['fulmar', engineName].map((name) => join(modules, name));
    const bytes = own.reduce((sum, path) => sum + bytesIn(path), 0);
    assert.ok(bytes > 1e6 && bytes <= INSTALLED_BYTES_MAX, `${bytes} bytes`);
    assert.deepEqual(
      readdirSync(join(own[0] ?? '', 'dist')).filter((name) => /\.node$|^fulmar-|^native/.test(name)),
      [],
    );
  });

  it('serves CommonJS and ES modules with the engine', async () => {
    assert.equal(await must(fulmar(folder, ['run', 'app.cjs'])), served);
    assert.equal(await must(run('node', ['app.mjs'], folder)), served);
  });

  it('is seen by `fulmar doctor` to be the engine that serves', async () => {
    writeFileSync(join(folder, 'listening.cjs'), "require('http').createServer((req, res) => res.end()).listen(0, '127.0.0.1');");
    const report = JSON.parse(await must(fulmar(folder, ['doctor', '--json', 'listening.cjs']))) as {
      engine: { isLoaded: boolean; file: string };
    };
    assert.equal(report.engine.isLoaded, true);
    assert.ok(report.engine.file.includes(engineName), report.engine.file);
  });

  it('tells of the platform package in `fulmar info`', async () => {
    const text = await must(fulmar(folder, ['info']));
    assert.match(text, new RegExp(`\\nengine +loaded \\(.*${engineName}/fulmar\\..*\\.node\\)\\n`));
    assert.match(text, new RegExp(`\\nnative host +not there: .*${nativeName} is not installed\\n`));
  });
});
