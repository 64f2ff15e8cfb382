/** The packages on systems with nothing but Node: Debian 12 and 11, whose glibc is 2.36 and 2.31. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { debian, missingForDebian, type System } from './support/debian.ts';
import { npm } from './support/managers.ts';
import { packed } from './support/packed.ts';
import { must, newProject, removeProjects } from './support/project.ts';
import { type Registry, startRegistry } from './support/registry.ts';

const app = `const express = require('express');
const http = require('http');

const app = express();
app.get('/', (req, res) => res.json({ hello: 'world' }));
const server = app.listen(0, '127.0.0.1', () => {
  http.get({ host: '127.0.0.1', port: server.address().port }, (reply) => {
    reply.on('data', (text) => console.log(String(text), Symbol.for('fulmar.version') in http ? 'on Fulmar' : 'on Node'));
    reply.on('end', () => process.exit());
  });
});`;
const served = '{"hello":"world"} on Fulmar\n';
const missing = missingForDebian();

describe('on a system with nothing but Node', { skip: missing ?? false }, () => {
  let folder = '';
  let registry: Registry | undefined;
  before(async () => {
    const packages = packed();
    registry = await startRegistry(packages);
    folder = newProject({ 'package.json': { name: 'newcomer', private: true }, 'app.cjs': app });
    await must(npm.install(folder, ['fulmar', 'express@5', 'rolldown@^1.3.2', ...packages.tarballs.keys()], registry.url));
  });
  after(() => {
    registry?.close();
    removeProjects();
  });

  for (const [release, glibc] of [
    ['bookworm', '2.36'],
    ['bullseye', '2.31'],
  ] as const) {
    it(`serves, builds one file and an executable: Debian ${release}`, { timeout: 600_000 }, (test) => {
      const found = debian(release);
      if (typeof found === 'string') return test.skip(found);
      const prints = (system: System, command: string): string => {
        const { status, output } = system.run(command, folder);
        assert.equal(status, 0, `${command}\n${output}`);
        return output;
      };
      assert.match(prints(found, 'ldd --version'), new RegExp(`GLIBC ${glibc}`));
      const begun = Date.now();
      assert.equal(prints(found, 'node node_modules/.bin/fulmar run app.cjs'), served);
      test.diagnostic(`${release}: first page after ${Date.now() - begun} ms`);
      assert.match(prints(found, 'node node_modules/.bin/fulmar info'), /\nengine +loaded /);
      prints(found, 'node node_modules/.bin/fulmar build app.cjs -o built.mjs');
      assert.equal(prints(found, 'FULMAR_BUILD_CACHE=/app/cache node built.mjs'), served);
      prints(found, 'node node_modules/.bin/fulmar build app.cjs --native -o built');
      assert.match(prints(found, './built'), /^\{"hello":"world"\} on Fulmar\n$/);
    });
  }
});
