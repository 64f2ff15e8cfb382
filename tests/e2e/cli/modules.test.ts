/**
 * What an application sees under `fulmar run`: aliases in every kind of import, and otherwise what it sees
 * under `node`.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dist, fetchText, fulmar, hasSyncHooks, start, writeProject } from './support.ts';

/** A module of the application's that tells whether a value is ours. */
const isOurs = `
const { createRequire } = require('node:module');
const ours = { http: require(${JSON.stringify(`${dist}/http.cjs`)}), express: require(${JSON.stringify(`${dist}/express.cjs`)}) };
module.exports = (name, value) => value === ours[name];
`;

/** A version that nothing stands for. */
const express3 = {
  'package.json': '{"name":"express","version":"3.21.2"}',
  'index.js': 'module.exports = { upstream: true, http: require("http") };',
};

const files: Record<string, string> = {
  'ours.cjs': isOurs,
  'node_modules/dep-cjs/package.json': '{"main":"index.js"}',
  'node_modules/dep-cjs/index.js':
    'exports.http = require("http"); exports.nodeHttp = require("node:http"); exports.express = require("express"); exports.dynamic = () => import("node:http");',
  'node_modules/dep-esm/package.json': '{"type":"module","exports":"./index.js"}',
  'node_modules/dep-esm/index.js':
    'import http from "http"; import * as nodeHttp from "node:http"; import express from "express"; export { http, nodeHttp, express };',
  'node_modules/old/package.json': '{}',
  'node_modules/old/index.js': 'module.exports = require("express");',
  'node_modules/old/node_modules/express/package.json': express3['package.json'],
  'node_modules/old/node_modules/express/index.js': express3['index.js'],
  'cjs.cjs': `
    const ours = require('./ours.cjs'); const dep = require('dep-cjs'); const old = require('old');
    const say = {
      http: ours('http', require('http')), nodeHttp: ours('http', require('node:http')), express: ours('express', require('express')),
      builtin: ours('http', process.getBuiltinModule('node:http')), https: require('https') === process.getBuiltinModule('https'), http2: require('http2') === process.getBuiltinModule('http2'),
      depHttp: ours('http', dep.http), depNodeHttp: ours('http', dep.nodeHttp), depExpress: ours('express', dep.express),
      express3: old.upstream === true, express3Http: ours('http', old.http), clientKept: require('http').request === undefined,
    };
    (async () => {
      say.dynamic = ours('http', (await import('node:http')).default); say.dynamicExpress = ours('express', (await import('express')).default); say.depDynamic = ours('http', (await dep.dynamic()).default);
      const esm = await import('dep-esm'); say.esmHttp = ours('http', esm.http); say.esmNodeHttp = ours('http', esm.nodeHttp.default); say.esmExpress = ours('express', esm.express);
      console.log(JSON.stringify(say));
    })();`,
  'esm.mjs': `
    import http from 'http'; import nodeHttp, { createServer } from 'node:http'; import express, { Router } from 'express'; import dep from 'dep-cjs'; import * as esm from 'dep-esm'; import old from 'old';
    import { createRequire } from 'node:module'; import ours from './ours.cjs';
    const require = createRequire(import.meta.url);
    console.log(JSON.stringify({
      http: ours('http', http), nodeHttp: ours('http', nodeHttp), express: ours('express', express), named: createServer === http.createServer && Router === express.Router,
      depHttp: ours('http', dep.http), depExpress: ours('express', dep.express), esmHttp: ours('http', esm.http), esmNamespace: ours('http', esm.nodeHttp.default), esmExpress: ours('express', esm.express),
      dynamic: ours('http', (await import('http')).default), required: ours('http', require('http')), requiredEsm: ours('http', require('dep-esm').http), express3: old.upstream, express3Http: ours('http', old.http),
    }));`,
  'typed.cts': `import http = require('http'); import type { Server } from 'node:http'; const ours = require('./ours.cjs'); const s: Server | null = null; console.log(JSON.stringify({ http: ours('http', http), s }));`,
  'typed.mts': `import http from 'node:http'; import express, { type Request } from 'express'; import ours from './ours.cjs'; const r = null as Request | null; await null; console.log(JSON.stringify({ http: ours('http', http), express: ours('express', express) }));`,
  'required.cjs': `const ours = require('./ours.cjs'); console.log(JSON.stringify({ http: ours('http', require('dep-esm').http), express: ours('express', require('dep-esm').express) }));`,
};
const folder = writeProject(files);

describe('aliases', () => {
  // Nodes without synchronous hooks resolve what a `require`d ES module imports past every hook.
  for (const file of ['cjs.cjs', 'esm.mjs', 'typed.cts', 'typed.mts', ...(hasSyncHooks ? ['required.cjs'] : [])]) {
    it(`hold for every import of ${file} and of its dependencies`, async () => {
      const { code, stdout, stderr } = await fulmar(folder, ['run', file]);
      assert.equal(code, 0, stderr);
      const { s: _s, clientKept, ...said } = JSON.parse(stdout) as Record<string, unknown>;
      assert.notEqual(clientKept, true);
      assert.deepEqual(
        Object.entries(said).filter(([, value]) => value !== true),
        [],
      );
    });
  }

  describe('without compiled sources, for which Node 20 needs no loader thread', () => {
    const express5 = {
      'node_modules/express/package.json': '{"name":"express","version":"5.3.1"}',
      'node_modules/express/index.js': 'module.exports = require("./lib/express");',
      'node_modules/express/lib/express.js': 'exports = module.exports = () => "upstream"; exports.Router = 1;',
    };
    const scripts = Object.entries(files).filter(([name]) => !name.startsWith('typed'));
    const project = writeProject({ ...Object.fromEntries(scripts), ...express5 });
    for (const file of ['cjs.cjs', 'esm.mjs', 'required.cjs']) {
      it(`hold for every import of ${file} and of its dependencies`, async () => {
        const { code, stdout, stderr } = await fulmar(project, ['run', file]);
        assert.equal(code, 0, stderr);
        const { clientKept: _kept, ...said } = JSON.parse(stdout) as Record<string, unknown>;
        const wrong = Object.entries(said).filter(([, value]) => value !== true);
        assert.deepEqual(wrong, []);
      });
    }

    it('are there with the threads of plain Node', { skip: process.platform !== 'linux' && 'threads are counted in /proc' }, async () => {
      const count = `console.log(require('node:fs').readdirSync('/proc/self/task').length);`;
      const counted = writeProject({
        'never.cjs': `require('node:http'); const never = () => import('node:http'); ${count}`,
        'main.mjs': `import 'node:http'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${count}`,
      });
      for (const file of ['never.cjs', 'main.mjs']) {
        // Node itself has one more now and then, on a busy machine: what is always so is ours.
        let [ours, plain] = ['', 'x'];
        for (let attempt = 0; attempt < 6 && ours !== plain; attempt += 1) {
          const ended = await Promise.all([fulmar(counted, ['run', file]), start(counted, [file], { plain: true }).ended]);
          [ours, plain] = ended.map(({ stdout }) => stdout) as [string, string];
          assert.match(plain, /^\d+\n$/);
        }
        assert.equal(ours, plain);
      }
    });
  });

  it('hold where a tool has replaced process.getBuiltinModule to hook modules', async () => {
    const project = writeProject({
      'a.cjs': `const original = process.getBuiltinModule; const asked = [];
        process.getBuiltinModule = function hooked(id) { asked.push(id); return original.call(this, id); };
        const http = require('http');
        const server = http.createServer((req, res) => res.end()).listen(0, () => server.close());
        console.log(http.Server.name, http === process.getBuiltinModule('http'), '_makers' in server);`,
    });
    const { code, stdout, stderr } = await fulmar(project, ['run', 'a.cjs']);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'Server true true\n');
  });

  it('do not exist with --no-alias', async () => {
    const project = writeProject({
      'a.cjs':
        'console.log(require("http") === process.getBuiltinModule("http"), require("net").Server === Object.getPrototypeOf(require("node:http").Server))',
    });
    const { stdout } = await fulmar(project, ['run', '--no-alias', 'a.cjs']);
    assert.equal(stdout, 'true true\n');
  });

  it('are told of with --verbose: each package once, where it was found and what it leads to', async () => {
    const project = writeProject({
      'a.cjs': 'require("express"); require("old"); require("./b.cjs"); require("next");',
      'b.cjs': 'require("express");',
      'c.mjs': 'import "express";',
      'node_modules/express/package.json': '{"name":"express","version":"5.3.1"}',
      'node_modules/old/index.js': 'require("express");',
      'node_modules/next/index.js': 'require("express");',
      'node_modules/next/node_modules/express/package.json': '{"name":"express","version":"6.0.0"}',
      'node_modules/next/node_modules/express/index.js': '',
    });
    const { stderr, code } = await fulmar(project, ['run', '--verbose', 'a.cjs']);
    assert.equal(code, 0, stderr);
    assert.equal(
      stderr,
      `fulmar: express 5.3.1 in ${join(project, 'node_modules/express')}: its imports lead to fulmar/express\n` +
        `fulmar: express 6.0.0 in ${join(project, 'node_modules/next/node_modules/express')}: nothing stands for it, it runs as it is\n`,
    );
    assert.match(
      (await fulmar(project, ['run', '--verbose', 'c.mjs'])).stderr,
      /^fulmar: express 5\.3\.1 in .* lead to fulmar\/express\n$/,
    );
    assert.equal((await fulmar(project, ['run', 'a.cjs'])).stderr, '');
  });

  it('are told of with --verbose where replies are compressed', async () => {
    const project = writeProject({
      'a.cjs':
        'const zlib = require("zlib"); console.log(require("compression") === zlib, Object.getPrototypeOf(require("compression")) === zlib);',
      'node_modules/compression/package.json': '{"name":"compression","version":"1.8.2"}',
      'node_modules/compression/index.js': 'module.exports = require("zlib");',
    });
    const { stdout, stderr } = await fulmar(project, ['run', '--verbose', 'a.cjs']);
    assert.equal(stdout, 'false true\n');
    assert.equal(
      stderr,
      `fulmar: compression 1.8.2 in ${join(project, 'node_modules/compression')}: its gzip and deflate streams are those of fulmar/zlib\n`,
    );
    assert.equal((await fulmar(project, ['run', '--no-alias', 'a.cjs'])).stdout, 'true false\n');
  });

  describe('of an installed package', () => {
    const project = writeProject({
      'ours.cjs': isOurs,
      'node_modules/express/package.json': '{"name":"express","version":"5.3.1"}',
      'node_modules/express/index.js': 'module.exports = require("./lib/express");',
      'node_modules/express/lib/own.js': 'module.exports = "upstream";',
      'node_modules/express/lib/express.js': 'exports = module.exports = () => "upstream"; exports.Router = exports.json = 1;',
      'see.cjs': `
        const { join } = require('node:path');
        module.exports = (require, express) => {
          const file = require.resolve('express');
          const cached = require.cache[file];
          const upstream = join(__dirname, 'node_modules', 'express');
          return {
            ours: require('./ours.cjs')('express', express), resolved: file === join(upstream, 'index.js'),
            cached: cached.exports === express && cached.filename === file && cached.loaded, byPath: require(file) === express,
            again: (delete require.cache[file], require('express')) === express, manifest: require('express/package.json').version === '5.3.1',
            deep: require('express/lib/express') === express, kept: require('express/lib/own') === 'upstream',
          };
        };`,
      'main.cjs': 'console.log(JSON.stringify(require("./see.cjs")(require, require("express"))));',
      'main.mjs': `
        import express, { Router, json } from 'express'; import * as all from 'express'; import see from './see.cjs'; import { createRequire } from 'node:module';
        const named = Router === express.Router && json === express.json && all.default === express;
        const resolved = [import.meta.resolve('express').endsWith('/node_modules/express/index.js'), import.meta.resolve('http') === 'node:http'];
        console.log(JSON.stringify({ named, ...resolved, ...see(createRequire(import.meta.url), express) }));`,
      'main.ts':
        'import express from "express"; const found: object = require("./see.cjs")(require, express); console.log(JSON.stringify(found));',
      'main.mts':
        'import express from "express"; import { createRequire } from "node:module"; import see from "./see.cjs"; const found: object = see(createRequire(import.meta.url), express); console.log(JSON.stringify(found));',
    });
    for (const file of ['main.cjs', 'main.mjs', 'main.ts', 'main.mts']) {
      it(`leave its file what it is in ${file}: resolved, cached and named as under node`, async () => {
        const { code, stdout, stderr } = await fulmar(project, ['run', file]);
        assert.equal(code, 0, stderr);
        const said = Object.entries(JSON.parse(stdout) as Record<string, unknown>);
        assert.ok(said.length >= 7);
        assert.deepEqual(
          said.filter(([, value]) => value !== true),
          [],
        );
      });
    }
  });

  describe('and modules loaded before the application', () => {
    const project = writeProject({
      'ours.cjs': isOurs,
      'node_modules/express/package.json': '{"name":"express","version":"5.3.1"}',
      'node_modules/express/index.js': 'module.exports = () => "upstream";',
      'early.cjs': 'globalThis.early = { http: require("http"), express: require("express") };',
      'early.mjs': 'import http from "node:http"; import express from "express"; globalThis.early = { http, express };',
      'app.cjs':
        'const ours = require("./ours.cjs"); const { http, express } = globalThis.early; console.log(ours("http", http), ours("express", express), http === require("http"), express === require("express"), process.argv.length);',
    });
    for (const flags of [['--require', './early.cjs'], ['-r', './early.cjs'], ['--require=./early.cjs'], ['--import', './early.mjs']]) {
      it(`hold in what ${flags.join(' ')} names`, async () => {
        const { stdout, stderr } = await fulmar(project, ['run', ...flags, 'app.cjs']);
        assert.equal(stdout, 'true true true true 2\n', stderr);
      });
    }

    it('do not with --no-alias', async () => {
      const { stdout, stderr } = await fulmar(project, ['run', '--no-alias', '--require', './early.cjs', 'app.cjs']);
      assert.equal(stdout, 'false false true true 2\n', stderr);
    });

    it('are told of with --verbose', async () => {
      const { stderr } = await fulmar(project, ['run', '--verbose', '--require', './early.cjs', 'app.cjs']);
      assert.match(stderr, /^fulmar: express 5\.3\.1 in .* lead to fulmar\/express$/m);
    });
  });

  it('give each importing file the version of Express that it depends on, as CommonJS and as ES modules', async () => {
    const manifest = (version: string): string => JSON.stringify({ name: 'express', version });
    const project = writeProject({
      'node_modules/express/package.json': manifest('4.22.3'),
      'new/node_modules/express/package.json': manifest('5.3.0'),
      'ours.cjs': `const { createRequire } = require('node:module'); const dist = ${JSON.stringify(dist)};
        module.exports = (value) => ['express', 'express4'].filter((name) => require(dist + '/' + name + '.cjs') === value).join();`,
      'new/index.cjs': 'exports.express = require("express");',
      'new/index.mjs': 'import express from "express"; export { express };',
      'app.cjs': 'const ours = require("./ours.cjs"); console.log(ours(require("express")), ours(require("./new/index.cjs").express));',
      'app.mjs':
        'import express, { query, Router } from "express"; import { express as other } from "./new/index.mjs"; import ours from "./ours.cjs"; console.log(ours(express), ours(other), query === express.query && Router === express.Router);',
    });
    assert.equal((await fulmar(project, ['run', 'app.cjs'])).stdout, 'express4 express\n');
    const { stdout, stderr } = await fulmar(project, ['run', '--verbose', 'app.mjs']);
    assert.equal(stdout, 'express4 express true\n');
    assert.match(stderr, /^fulmar: express 4\.22\.3 in .*: its imports lead to fulmar\/express4$/m);
    assert.match(stderr, /^fulmar: express 5\.3\.0 in .*: its imports lead to fulmar\/express$/m);
  });

  it('run an Express 4 application on fulmar/express4', async () => {
    const project = writeProject({
      'node_modules/express/package.json': '{"name":"express","version":"4.18.2"}',
      'app.cjs': `const express = require('express'); const app = express();
        app.get('/files/*', (req, res) => res.json({ rest: req.params[0], query: req.query }));
        app.get('/ab?cd', (req, res) => { req.query = { replaced: true }; res.json(req.query); });
        const server = app.listen(0, () => console.log('PORT ' + server.address().port));`,
    });
    const running = start(project, ['run', 'app.cjs']);
    const port = await running.port();
    assert.equal(await fetchText(port, '/files/a/b.txt?x[y]=1'), '{"rest":"a/b.txt","query":{"x":{"y":"1"}}}');
    assert.equal(await fetchText(port, '/acd'), '{"replaced":true}');
    running.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });

  it('hold in processes that the application forks', async () => {
    const project = writeProject({
      'ours.cjs': isOurs,
      'main.ts': 'import { fork } from "node:child_process"; import { join } from "node:path"; fork(join(__dirname, "child.ts"));',
      'child.ts': 'import http from "node:http"; const value: unknown = http; console.log(require("./ours.cjs")("http", value));',
    });
    const { stdout, stderr } = await fulmar(project, ['run', 'main.ts']);
    assert.equal(stdout, 'true\n', stderr);
  });
});

describe('an application', () => {
  const probe =
    'JSON.stringify([process.argv.slice(1), require.main === module, __filename, __dirname, module.id, module.parent, module.filename, process.argv0, typeof process.mainModule])';
  const esmProbe =
    'JSON.stringify([process.argv.slice(1), import.meta.url, import.meta.filename, import.meta.main, typeof process.mainModule])';
  const project = writeProject({
    'cjs.cjs': `console.log(${probe})`,
    noext: `console.log(${probe})`,
    'pack/package.json': '{"type":"module"}',
    'pack/esm.js': `console.log(${esmProbe})`,
    'esm.mjs': `console.log(${esmProbe})`,
    'detected.js': `import 'node:fs'; console.log(${esmProbe})`,
  });
  for (const file of ['cjs.cjs', './cjs.cjs', 'noext', 'esm.mjs', 'pack/esm.js', 'detected.js']) {
    it(`sees in ${file} what it sees under node`, async () => {
      const args = [file, '-x', '--workers', '3', '--', 'y z'];
      const [ours, plain] = await Promise.all([fulmar(project, ['run', ...args]), start(project, args, { plain: true }).ended]);
      assert.equal(ours.stdout, plain.stdout);
      assert.deepEqual([ours.code, plain.code], [0, 0], ours.stderr);
    });
  }

  it('sees the same in TypeScript', async () => {
    const typed = writeProject({
      'a.ts': `const x: number = 1; console.log(${probe})`,
      'b.mts': `const x: number = 1; console.log(${esmProbe})`,
    });
    const cjs = JSON.parse((await fulmar(typed, ['run', 'a.ts', 'q'])).stdout) as unknown[];
    assert.deepEqual(cjs.slice(0, 5), [[`${typed}/a.ts`, 'q'], true, `${typed}/a.ts`, typed, '.']);
    const esm = JSON.parse((await fulmar(typed, ['run', 'b.mts', 'q'])).stdout) as unknown[];
    assert.deepEqual(esm.slice(0, 2), [[`${typed}/b.mts`, 'q'], `file://${typed}/b.mts`]);
  });

  it('keeps its exit code, its own error output and its uncaughtException handler', async () => {
    const failing = writeProject({
      'code.cjs': 'process.exitCode = 7',
      'throws.cjs': 'function f() { throw new TypeError("own") } f()',
      'handles.cjs':
        'process.on("uncaughtException", (e) => { console.log("handled", e.code); process.exit(3) }); const s = require("http").createServer().listen(0, "127.0.0.1", () => require("http").createServer().listen(s.address().port, "127.0.0.1"))',
    });
    assert.equal((await fulmar(failing, ['run', 'code.cjs'])).code, 7);
    const thrown = await fulmar(failing, ['run', 'throws.cjs']);
    assert.equal(thrown.code, 1);
    assert.match(
      thrown.stderr,
      /throws\.cjs:1\nfunction f\(\) \{ throw new TypeError\("own"\) \} f\(\)[^]*TypeError: own\n {4}at f .*throws\.cjs:1:22/,
    );
    const handled = await fulmar(failing, ['run', 'handles.cjs']);
    assert.deepEqual([handled.code, handled.stdout], [3, 'handled EADDRINUSE\n'], handled.stderr);
  });
});
