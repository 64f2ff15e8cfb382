/**
 * `fulmar doctor` as a user runs it, on applications of every kind: what it says of them, and that it is
 * true.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Report } from '../../../packages/cli/src/doctor/report.ts';
import { fulmarBin, nodeBinary, writeProject } from '../cli/support.ts';
import { applications } from './applications.ts';
import { doctor, effectsOf, examine, root, waysOf, writeApplication } from './support.ts';

const folder = writeApplication(applications);

describe('what the doctor says of an Express application', () => {
  it('finds nothing slow in an application that takes the short way', async () => {
    const { code, report } = await examine(folder, ['fast.mjs', '--path', '/users/7']);
    assert.equal(code, 0);
    assert.ok(report.engine.isLoaded);
    assert.deepEqual(waysOf(report), ['GET /users/7: packed with engine ETag', 'GET /: packed with engine ETag']);
    assert.deepEqual(report.findings, []);
    const [imported] = report.imports.aliased;
    assert.deepEqual([imported?.specifier, imported?.leadsTo, imported?.importers], ['express', 'fulmar/express', ['application']]);
    assert.match(imported?.found?.version ?? '', /^5\./);
    assert.deepEqual(
      report.applications[0]?.routes.map(({ methods, path, matching }) => [methods[0], path, matching.way]),
      [
        ['GET', '/', 'tree'],
        ['GET', '/users/:id', 'tree'],
        ['POST', '/echo', 'tree'],
      ],
    );
  });

  it('attributes each slow path to the middleware that takes it', async () => {
    const { code, report } = await examine(folder, ['slow.cjs']);
    assert.equal(code, 0);
    assert.ok(effectsOf(report, 'logger').includes('response-member-replaced writeHead'));
    assert.ok(!effectsOf(report, 'logger').includes('response-member-replaced end'));
    assert.ok(effectsOf(report, 'compression').includes('response-member-replaced write'));
    assert.ok(effectsOf(report, 'session').includes('response-member-replaced end'));
    assert.deepEqual(effectsOf(report, 'copies'), ['reply-headers-read getHeaders']);
    assert.deepEqual(effectsOf(report, 'turns'), ['response-prototype-changed']);
    assert.ok(effectsOf(report, 'streams').includes('reply-streamed'));
    assert.deepEqual(waysOf(report), ['GET /small: streamed', 'GET /stream: streamed']);
    const found = report.applications[0]?.middleware.find(({ name }) => name === 'session');
    assert.deepEqual([found?.from, found?.cost, found?.requests], ['express-session', 'slow', 2]);
    const slow = report.findings.filter(({ severity }) => severity === 'slow').map(({ what }) => what);
    for (const name of ['morgan', 'compression', 'express-session', 'turns']) {
      assert.ok(
        slow.some((what) => what.includes(name)),
        `${name} in ${slow.join(' | ')}`,
      );
    }
  });

  it('watching leaves the way of replies as it is', async () => {
    const { report } = await examine(folder, ['fast.mjs']);
    const handlers = report.requests[0]?.handlers.map(({ name }) => name);
    assert.deepEqual(handlers, ['app', 'jsonParser', 'count', 'anonymous']);
    assert.equal(report.requests[0]?.way, 'packed with engine ETag');
  });

  it('sends the method and the content it is told to, and sees how content is read', async () => {
    const post = ['-X', 'POST', '-H', 'Content-Type: application/json', '--body', '{"a":1}'];
    const fast = await examine(folder, ['fast.mjs', '--routes', '0', '--path', '/echo', ...post]);
    assert.deepEqual(waysOf(fast.report), ['POST /echo: packed with engine ETag']);
    assert.ok(effectsOf(fast.report, 'jsonParser').includes('request-content-inline'));
    assert.ok(!effectsOf(fast.report, 'jsonParser').includes('request-stream'));
    const slow = await examine(folder, ['slow.cjs', '--routes', '0', '--path', '/read', ...post]);
    assert.deepEqual(waysOf(slow.report), ['POST /read: streamed']);
    assert.ok(effectsOf(slow.report, 'reads').includes('request-stream'));
    assert.ok(effectsOf(slow.report, 'reads').includes('request-listener data'));
  });

  it('tells of each route how it is matched, and why', async () => {
    const { report } = await examine(folder, ['routes.cjs']);
    const matching = report.applications.flatMap(({ routes }) => routes.map(({ path, matching: { way, reason } }) => [path, way, reason]));
    assert.deepEqual(matching, [
      ['/plain/:id/text', 'tree', undefined],
      ['/files/*rest', 'tested', 'it holds a wildcard'],
      ['/^\\/expression/', 'tested', 'it is a regular expression'],
      ['/group{/:part}', 'tested', 'it holds an optional group'],
      ['/x-:id', 'tested', 'a parameter is only a part of its segment'],
      ['/one', 'tree, then tested', 'it has several paths'],
      ['/two', 'tree, then tested', 'it has several paths'],
      ['/ümlaut', 'tested', 'it holds characters outside ASCII'],
      ['/api/:version/list', 'tree', undefined],
      ['/sub/page', 'tree', undefined],
    ]);
    assert.deepEqual(report.applications[0]?.exposedStacks, ['/']);
    assert.ok(report.findings.some(({ code }) => code === 'stack-exposed'));
    // Parameters have no values, so only these are asked for.
    assert.deepEqual(
      report.requests.map(({ path, status }) => [path, status]),
      [
        ['/one', 200],
        ['/two', 200],
        ['/sub/page', 200],
      ],
    );
    assert.ok(effectsOf(report, 'mounted_app').includes('response-prototype-changed'));
  });

  it('knows where applications are mounted, and what answers every method', async () => {
    const { code, report } = await examine(folder, ['mounts.cjs']);
    assert.equal(code, 0);
    const routes = report.applications.flatMap((application) =>
      application.routes.map(({ methods, path }) => `${methods.join(',')} ${path}`),
    );
    assert.deepEqual(routes.toSorted(), [
      'ALL /all',
      'ALL /each',
      'GET /at-root',
      'GET /first/of-two',
      'GET /outer/inner/page',
      'GET /outer/page',
      'GET /router/mounted/page',
      'GET /slash/page',
    ]);
    assert.deepEqual(
      report.requests.filter(({ status }) => status !== 200),
      [],
    );
  });

  it('names who reads private fields of a socket that hold nothing', async () => {
    const { code, report } = await examine(folder, ['private.cjs']);
    assert.equal(code, 0);
    assert.deepEqual(
      report.privateReads.map(({ field, from, file }) => [field, from, file]),
      [
        ['_handle', 'application', join(folder, 'private.cjs')],
        ['parser', 'application', join(folder, 'private.cjs')],
      ],
    );
    const [found] = report.findings.filter((finding) => finding.code === 'private-field');
    assert.match(found?.what ?? '', /^private\.cjs reads req\.socket\._handle, req\.socket\.parser, which is Node’s own and empty here$/);
  });

  it('says that prototypes are replaced where the application is not the only listener', async () => {
    const { report } = await examine(folder, ['wrapped.cjs']);
    assert.equal(report.servers[0]?.hasOwnClasses, false);
    assert.ok(effectsOfListener(report, 'outer').includes('response-prototype-changed'));
    assert.ok(report.findings.some(({ what }) => what.includes('outer') && what.includes('prototype')));
  });

  it('calls a deep import beside the replaced package a problem', async () => {
    const { code, report } = await examine(folder, ['deep.cjs']);
    assert.equal(code, 3);
    assert.deepEqual(
      report.findings.filter(({ severity }) => severity === 'problem').map((finding) => finding.code),
      ['deep-import'],
    );
  });

  it('says which version of a package is not replaced, and that the rest of the application runs', async () => {
    const project = writeProject({
      'old.cjs': `require('express').serve();`,
      'node_modules/express/package.json': '{"name":"express","version":"3.21.2","main":"index.js"}',
      'node_modules/express/index.js': `exports.serve = () => require('http').createServer((req, res) => res.end('old')).listen(process.env.PORT);`,
    });
    const { code, report } = await examine(project, ['old.cjs']);
    assert.equal(code, 0);
    assert.deepEqual(
      report.imports.kept.map(({ specifier, found, importers }) => [specifier, found?.version, importers]),
      [['express', '3.21.2', ['application']]],
    );
    assert.deepEqual(
      report.imports.aliased.map(({ specifier, importers }) => [specifier, importers]),
      [['http', ['express']]],
    );
    assert.ok(report.findings.some(({ code: name, severity }) => name === 'not-aliased' && severity === 'slow'));
    assert.deepEqual(waysOf(report), ['GET /: packed']);
  });

  it('asks through a Unix socket, and names a setting that costs', async () => {
    const { code, report } = await examine(folder, ['strong.cjs'], { env: { SOCKET: join(folder, 'strong.sock') } });
    assert.equal(code, 0);
    assert.deepEqual(report.servers[0]?.address, { path: join(folder, 'strong.sock') });
    assert.deepEqual(waysOf(report), ['GET /: packed']);
    assert.deepEqual(
      report.findings.map(({ severity, code: name }) => [severity, name]),
      [['slow', 'setting']],
    );
  });

  it('names the place of an anonymous handler in a TypeScript source', async () => {
    const { code, report } = await examine(folder, ['typed.ts']);
    assert.equal(code, 0);
    assert.match(report.target.format, /TypeScript/);
    const [first] = report.applications[0]?.middleware ?? [];
    assert.deepEqual([first?.place?.file, first?.place?.line], [join(folder, 'typed.ts'), 6]);
    assert.deepEqual(waysOf(report), ['GET /typed: packed with engine ETag']);
  });
});

function effectsOfListener({ servers }: Awaited<ReturnType<typeof examine>>['report'], name: string): string[] {
  const handler = servers.flatMap(({ handlers }) => handlers).find((one) => one.name === name);
  return (handler?.effects ?? []).map(({ code }) => code);
}

describe('what the doctor says of an application of Express 4', () => {
  const project = writeProject({
    'four.cjs': `const express = require('express'); const app = express(); const reply = (req, res) => res.send('x');
      app.use(function first(req, res, next) { next(); }); app.get('/plain/:id', reply); app.get('/files/*', reply); app.get('/maybe/:part?', reply);
      app.get(/^\\/expression/, reply); app.get('/x-:id', reply);
      const inner = express.Router(); inner.use(function inside(req, res, next) { next(); }); inner.get('/list', reply); app.use('/api', inner);
      app.use(function ends(req, res, next) { const { end } = res; res.end = function (...args) { return end.apply(this, args); }; next(); });
      app.get('/behind', (req, res) => res.json({})); app.listen(process.env.PORT);`,
    'deep.cjs': `const express = require('express'); require('express/lib/router/layer'); require('express/lib/router');
      require('express/lib/own'); require('express/lib/other.js'); const app = express(); app.get('/', (req, res) => res.send('x')); app.listen(process.env.PORT);`,
    // Its own code never runs: Fulmar's stands in its place.
    'node_modules/express/package.json': '{"name":"express","version":"4.21.2","main":"index.js"}',
    'node_modules/express/index.js': 'throw new Error("npm runs");',
    'node_modules/express/lib/router/layer.js': '',
    'node_modules/express/lib/router/index.js': '',
    'node_modules/express/lib/own.js': '',
    'node_modules/express/lib/other.js': '',
  });

  it('tells how its routes are matched and what its middleware does', async () => {
    const { code, report } = await examine(project, ['four.cjs']);
    assert.equal(code, 0);
    assert.deepEqual(
      report.imports.aliased.map(({ specifier, leadsTo, found }) => [specifier, leadsTo, found?.version?.split('.')[0]]),
      // Express itself imports http.
      [
        ['express', 'fulmar/express4', '4'],
        ['http', 'fulmar/http', undefined],
      ],
    );
    assert.deepEqual(
      report.applications[0]?.routes.map(({ path, matching: { way, reason } }) => [path, way, reason]),
      [
        ['/plain/:id', 'tree', undefined],
        ['/files/*', 'tested', 'it holds a wildcard'],
        ['/maybe/:part?', 'tested', 'it holds an optional or repeated part'],
        ['/^\\/expression/', 'tested', 'it is a regular expression'],
        ['/x-:id', 'tested', 'a parameter is only a part of its segment'],
        ['/api/list', 'tree', undefined],
        ['/behind', 'tree', undefined],
      ],
    );
    assert.deepEqual(
      report.applications[0]?.middleware.map(({ path, name, matching }) => [path, name, matching.way]),
      [
        ['/', 'first', 'every path'],
        ['/api', 'router', 'tree'],
        ['/api', 'inside', 'every path'],
        ['/', 'ends', 'every path'],
      ],
    );
    assert.deepEqual(effectsOf(report, 'ends'), ['response-member-replaced end']);
    assert.deepEqual(waysOf(report), ['GET /api/list: packed with engine ETag', 'GET /behind: packed']);
  });

  it('calls inner files that Fulmar has no counterpart of a problem, once', async () => {
    const { code, report } = await examine(project, ['deep.cjs']);
    assert.equal(code, 3);
    const problems = report.findings.filter(({ severity }) => severity === 'problem');
    assert.deepEqual(
      problems.map((finding) => finding.code),
      ['deep-import'],
    );
    assert.match(problems[0]?.what ?? '', /imports express\/lib\/own, express\/lib\/other\.js of/);
  });
});

it('says so when npm’s Express runs although its imports would lead to Fulmar', async () => {
  const project = writeProject({
    'linked.cjs': `const app = require('express')(); app.get('/', (req, res) => res.send('x')); app.listen(process.env.PORT);`,
    'node_modules/.keep': '',
  });
  // A link to a folder of another name: what is loaded from there is not known to be Express.
  symlinkSync(join(root, 'node_modules', 'express4'), join(project, 'node_modules', 'express'), 'dir');
  const { code, report } = await examine(project, ['linked.cjs']);
  assert.equal(code, 0);
  assert.equal(report.applications[0]?.implementation, 'npm');
  assert.ok(report.findings.some(({ severity, code: name }) => severity === 'slow' && name === 'npm-runs'));
});

describe('what the doctor says of other applications', () => {
  it('sees which replies of a node:http program are streamed', async () => {
    const { code, report } = await examine(folder, ['plain.cjs', '--path', '/parts']);
    assert.equal(code, 0);
    assert.deepEqual(waysOf(report), ['GET /parts: streamed', 'GET /: packed']);
    assert.deepEqual(
      report.servers.flatMap(({ handlers }) => handlers.map(({ name, requests }) => [name, requests])),
      [['answer', 2]],
    );
  });

  it('lists the middleware of a Koa application, and sees what it does after those behind it', async () => {
    const { code, report } = await examine(folder, ['koa.cjs']);
    assert.equal(code, 0);
    const [application] = report.applications;
    assert.equal(application?.framework, 'Koa');
    assert.deepEqual(
      application.middleware.map(({ name }) => name),
      ['timer', 'late', 'hello'],
    );
    assert.equal(application.implementation, 'Fulmar');
    assert.ok(effectsOf(report, 'late').includes('response-member-replaced end'));
    assert.ok(!effectsOf(report, 'hello').includes('response-member-replaced end'));
    assert.deepEqual(
      report.requests.map(({ path, status, handlers }) => [path, status, handlers.map(({ name }) => name)]),
      [['/', 200, ['handleRequest', 'timer', 'late', 'hello']]],
    );
  });

  it('says of Koa what Koa does when the middleware is done', async () => {
    const { code, report } = await examine(folder, ['koa-stream.cjs']);
    assert.equal(code, 0);
    const [request] = report.requests;
    assert.equal(request?.way, 'streamed');
    const streaming = request.handlers.filter(({ effects }) => effects.some((effect) => effect.code === 'reply-streamed'));
    assert.deepEqual(
      streaming.map(({ name }) => name),
      ['Koa itself'],
    );
    assert.deepEqual(effectsOf(report, 'timer'), []);
  });

  it('counts cluster workers, and adds up what each of them saw', async () => {
    const { code, report } = await examine(folder, ['cluster.cjs']);
    assert.equal(code, 0);
    const [server] = report.servers;
    assert.deepEqual([server?.process, server?.processes, report.servers.length], ['cluster worker', 2, 1]);
    assert.deepEqual(waysOf(report), ['GET /work: packed with engine ETag']);
  });

  it('looks into processes that the application forks', async () => {
    const { code, report } = await examine(folder, ['forks.cjs']);
    assert.equal(code, 0);
    assert.deepEqual(
      report.servers.map(({ process: owner, host }) => [owner, host]),
      [['forked', 'Fulmar']],
    );
    assert.deepEqual(waysOf(report), ['GET /child: packed with engine ETag']);
  });

  it('asks at the port of the application that has the route', async () => {
    const { report } = await examine(folder, ['two.cjs']);
    assert.equal(report.servers.length, 2);
    assert.deepEqual(
      report.requests.map(({ path, status }) => [path, status]),
      [['/here', 200]],
    );
  });

  it('says that servers in worker threads are Node’s own', async () => {
    const { code, report } = await examine(folder, ['thread.cjs']);
    assert.equal(code, 0);
    assert.deepEqual(report.servers.map(({ host, process: owner }) => `${host} ${owner}`).toSorted(), [
      'Fulmar main',
      'Node worker thread',
    ]);
    assert.ok(report.findings.some(({ code: name, what }) => name === 'node-server' && what.includes('worker thread')));
  });

  it('says that nothing runs on Fulmar where no server does', async () => {
    const { code, report } = await examine(folder, ['tcp.cjs']);
    assert.equal(code, 0);
    assert.equal(report.engine.isLoaded, false);
    assert.ok(report.findings.some(({ code: name }) => name === 'engine-unused'));
  });

  it('examines the RealWorld application of the benchmarks', async () => {
    const { code, report } = await examine(join(root, 'bench/apps/realworld'), ['server.js'], { env: { STORAGE: 'memory' } });
    assert.notEqual(code, 1);
    assert.ok((report.applications[0]?.routes.length ?? 0) > 15);
    const articles = report.requests.find(({ path }) => path === '/api/articles');
    assert.equal(articles?.status, 200);
    assert.match(articles.way, /^packed/);
  });
});

describe('when something is wrong', () => {
  it('ends with 1 and shows what the application printed when it throws at its start', async () => {
    const { code, stdout, stderr } = await doctor(folder, ['throws.mjs']);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^fulmar: the application ended before it listened \(exit code 1\)\. Its last output:\n/);
    assert.match(stderr, /DATABASE_URL is missing/);
    assert.match(stderr, /Error: no database/);
  });

  it('ends with 1 when the application ends without a server', async () => {
    const { code, stderr } = await doctor(folder, ['ends.cjs']);
    assert.equal(code, 1);
    assert.match(stderr, /ended before it listened \(exit code 0\)/);
  });

  it('gives up an application that does not listen in time', async () => {
    const { code, stderr } = await doctor(folder, ['silent.cjs', '--start-timeout', '3']);
    assert.equal(code, 1);
    assert.match(stderr, /did not listen within 3 s and still runs.*\n {2}waiting for a database/);
  });

  it('ends with 2 when the application ends while it is asked, and names the request', async () => {
    const { code, report } = await examine(folder, ['dies.cjs']);
    assert.equal(code, 3);
    const problems = report.findings.filter(({ severity }) => severity === 'problem');
    assert.deepEqual(
      problems.map((finding) => finding.code),
      ['ended'],
    );
    assert.match(problems[0]?.what ?? '', /GET \/fatal/);
    assert.match(problems[0]?.advice ?? '', /exit code 7/);
    const ways = report.requests.map(({ path, way }) => `${path} ${way}`);
    assert.deepEqual(ways, ['/fine packed with engine ETag', '/fatal unknown'], 'replies from before its end are known');
  });

  it('ends with 2 for a request that gets no reply', async () => {
    const { code, report } = await examine(folder, ['hangs-up.cjs']);
    assert.equal(code, 3);
    assert.deepEqual(
      report.findings.filter(({ severity }) => severity === 'problem').map((finding) => finding.code),
      ['no-reply'],
    );
  });

  it('does not call a request that waits a problem, and asks the others all the same', async () => {
    const { code, report } = await examine(folder, ['late.cjs']);
    assert.equal(code, 0);
    assert.deepEqual(
      report.findings.map(({ severity, code: name }) => [severity, name]),
      [['note', 'late']],
    );
    assert.deepEqual(
      report.requests.map(({ path, status, way }) => [path, status, way]),
      [
        ['/poll', null, 'none'],
        ['/fine', 200, 'packed with engine ETag'],
      ],
    );
  });

  it('tells wrong arguments in a line', async () => {
    const cases: [args: string[], expected: RegExp, exitCode?: number][] = [
      [['--pth', '/x'], /^fulmar: unknown option --pth\. Did you mean --path\?\n$/],
      [['nothing.js'], /^fulmar: cannot find nothing\.js\./, 1],
      [['http://127.0.0.1:1/'], /^fulmar: fulmar doctor starts a file/],
      [['-X', 'POST', 'plain.cjs'], /^fulmar: --method needs a --path/],
      [[''], /^fulmar: the name of the file is empty\n$/],
    ];
    for (const [args, expected, exitCode = 2] of cases) {
      const { code, stderr } = await doctor(folder, args);
      assert.match(stderr, expected);
      assert.equal(code, exitCode);
    }
  });
});

describe('how the doctor is used', () => {
  it('refuses an environment file that does not exist, as Node 20 does itself', async () => {
    const { code, stderr } = await doctor(folder, ['plain.cjs', '--env-file', 'none.env']);
    assert.ok(code === 1 || code === 9, `exit code ${code}`);
    assert.match(stderr, /none\.env/);
  });

  it('takes the file from the start script, from main, or by its usual name', async () => {
    const server = applications['plain.cjs'] ?? '';
    const byScript = writeApplication({
      'package.json': '{"scripts":{"start":"PORT=1 node --enable-source-maps srv.js"}}',
      'srv.js': server,
    });
    assert.equal((await examine(byScript, [])).report.target.source, 'scripts.start of package.json');
    const byMain = writeApplication({ 'package.json': '{"main":"srv.js"}', 'srv.js': server });
    assert.equal((await examine(byMain, [])).report.target.source, 'main of package.json');
    const unnamed = await doctor(writeApplication({ 'package.json': '{}', 'server.js': server }), ['--json']);
    assert.match(unnamed.stderr, /^fulmar: looking into server\.js \(a usual name\)\n/);
    assert.equal((JSON.parse(unnamed.stdout) as Report).target.source, 'a usual name');
  });

  it('prints a page without colours that names what was found', async () => {
    const { code, stdout } = await doctor(folder, ['slow.cjs']);
    assert.equal(code, 0);
    // oxlint-disable-next-line no-control-regex -- there must be none
    assert.doesNotMatch(stdout, /\u001B/);
    assert.match(stdout, /^fulmar doctor: slow\.cjs, Fulmar \d/);
    assert.match(stdout, /express 5\.\S+ +→ fulmar\/express/);
    assert.match(stdout, /session of express-session +slow/);
    assert.match(stdout, /GET \/small +200 +streamed +through morgan, compression, express-session,\s+turns/);
    assert.match(stdout, /What makes it slower\n/);
    assert.match(stdout, /No problem found\. Of 2 replies/);
    for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
  });

  it('sends nothing when it is told not to', async () => {
    const { code, report } = await examine(folder, ['slow.cjs', '--no-requests']);
    assert.equal(code, 0);
    assert.deepEqual(report.requests, []);
    assert.equal(report.applications[0]?.middleware.length, 5);
    assert.deepEqual(effectsOf(report, 'session'), []);
  });

  it('gives the application its arguments and environment', async () => {
    const own = writeApplication({
      'own.cjs': `require('http').createServer((req, res) => res.setHeader('Content-Type', process.argv[2]).end()).listen(process.env.PORT);
        if (process.env.SECRET !== 'kept') process.exit(9);`,
      'own.env': 'SECRET=kept\n',
    });
    const { report } = await examine(own, ['own.cjs', '--env-file', 'own.env', '--', 'text/x-mine']);
    assert.equal(report.requests[0]?.type, 'text/x-mine');
  });

  it('prints help', async () => {
    const { code, stdout } = await doctor(folder, ['--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: fulmar doctor \[options\] \[file\]/);
  });

  it(
    'leaves no process behind when it is ended itself',
    { skip: process.platform === 'linux' ? false : 'reads /proc to see the processes' },
    async () => {
      const child = spawn(nodeBinary, [fulmarBin, 'doctor', 'silent.cjs'], { cwd: folder, stdio: 'ignore' });
      while (processesOf('silent.cjs').length === 0) await new Promise((done) => void setTimeout(done, 50));
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, 143);
      while (processesOf('silent.cjs').length > 0) await new Promise((done) => void setTimeout(done, 50));
    },
  );
});

/** Processes that were started with this file of the project. */
function processesOf(file: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(join(folder, file));
    } catch {
      return false;
    }
  });
}
