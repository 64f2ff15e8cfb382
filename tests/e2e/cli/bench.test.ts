/**
 * `fulmar bench` as a user runs it: real applications, real load for a moment, and what is said when
 * something is wrong.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { freePort } from '../../../packages/cli/src/free-port.ts';
import { type Ended, fulmar, start, writeProject } from './support.ts';

const express = createRequire(import.meta.url).resolve('express');
const port = await freePort();

const folder = writeProject({
  'plain.cjs': `require('http').createServer((req, res) => {
    const replies = { '/time': () => String(process.hrtime.bigint()), '/where': () => String(process.execArgv.length > 0) };
    if (req.url === '/fragile') res.statusCode = (globalThis.count = (globalThis.count ?? 0) + 1) > 3 ? 429 : 200;
    res.setHeader('Content-Type', 'text/plain').end((replies[req.url] ?? (() => 'hello'))());
  }).listen(process.env.PORT, '127.0.0.1');`,
  'fixed.mjs': `import http from 'node:http'; http.createServer((req, res) => res.end(process.env.NODE_ENV + process.argv[2])).listen(${port}, '127.0.0.1');`,
  'routes.cjs': `
    const express = require(${JSON.stringify(express)}); const app = express(); const api = express.Router();
    api.get('/items', (req, res) => res.json([1, 2])); api.get('/items/:id', (req, res) => res.json(req.params));
    api.get('/private', (req, res) => res.sendStatus(401)); app.use('/api', api); app.get('/', (req, res) => res.send('home'));
    const wrapped = require('http').createServer((req, res) => app(req, res)); wrapped.listen(process.env.PORT, '127.0.0.1');`,
  'typed.tsx': `import http from 'node:http'; const text: string = 'typed'; http.createServer((req, res) => void res.end(text)).listen(process.env.PORT as unknown as number);`,
  'silent.cjs': 'console.log("waiting for a database"); setInterval(() => undefined, 1000);',
  'ends.cjs': 'console.error("DATABASE_URL is missing"); process.exit(3);',
  'any.cjs': `require('http').createServer((req, res) => res.end('any')).listen(0, '127.0.0.1');`,
  'two.cjs': `const http = require('http'); for (let i = 0; i < 2; i++) http.createServer((req, res) => res.end()).listen(0, '127.0.0.1');`,
  'slow.cjs': `require('child_process').fork('child.cjs'); require('http').createServer((req, res) => res.end('x')).listen(process.env.PORT, '127.0.0.1');`,
  'child.cjs': 'setInterval(() => undefined, 1000);',
});

const short = ['--no-wait', '--rounds', '1', '--duration', '0.3', '--starts', '1', '--connections', '4'];
const skip = process.platform === 'linux' ? false : 'the command needs /proc';

const bench = (...args: string[]): Promise<Ended> => fulmar(folder, ['bench', ...short, ...args], { patienceMs: 60_000 });

interface Figure {
  readonly values: readonly (number | null)[];
  readonly ratio: number | null;
}

interface Report {
  readonly columns: readonly string[];
  readonly frameworks: readonly string[];
  readonly routes: readonly { path: string; verified: string; void: string | null; cpuUs: Figure; rate: Figure }[];
  readonly process: Readonly<Record<'coldStartMs' | 'idleBytes' | 'loadedBytes', Figure>>;
  readonly leftOut: readonly { path: string; reason: string }[];
  readonly notes: readonly string[];
  readonly repeat: string;
}

/** On a busy machine so short a measurement may contradict itself; its row is then void, as it should be. */
const disturbed = /contradict each other|no reply came in time/;

async function report(...args: string[]): Promise<Report> {
  const { stdout, stderr, code } = await bench('--json', ...args);
  assert.ok(code === 0 || disturbed.test(stdout), stderr + stdout);
  return JSON.parse(stdout) as Report;
}

/** Processes whose command line names a file of the project. */
function leftBehind(): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && Number(name) !== process.pid && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`${folder}/`);
    } catch {
      return false;
    }
  });
}

describe('fulmar bench of a file', { skip }, () => {
  it('measures stock Node and Fulmar, leaves out what differs, and verifies what varies by status', async () => {
    const {
      columns,
      routes,
      leftOut,
      process: measured,
      repeat,
    } = await report('plain.cjs', '--path', '/', '--path', '/time', '--path', '/where');
    assert.deepEqual(columns, ['stock', 'Fulmar']);
    assert.deepEqual(
      routes.map(({ path, verified }) => [path, verified]),
      [
        ['/', 'status and content'],
        ['/time', 'status'],
      ],
    );
    for (const route of routes) assert.ok(route.void !== null || (route.rate.ratio ?? 0) > 0, JSON.stringify(route));
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['/where'],
    );
    assert.match(leftOut[0]?.reason ?? '', /differ from byte 0 on: "false" under stock Node, "true" under Fulmar/);
    for (const name of ['coldStartMs', 'idleBytes', 'loadedBytes'] as const) {
      assert.ok(
        measured[name].values.every((value) => (value ?? 0) > 0),
        name,
      );
    }
    assert.match(
      repeat,
      /^fulmar bench plain\.cjs --path \/ --path \/time --connections 4 --duration 0\.3 --rounds 1(?: --starts \d+)?(?: --no-wait)?$/,
    );
  });

  it('prints a table with both hosts and how to repeat it', async () => {
    let printed = await bench('plain.cjs', '--duration', '0.5', '--rounds', '2');
    // Longer, until the machine lets one round count.
    for (const duration of ['1', '2', '4']) {
      if (printed.code !== 0 && disturbed.test(printed.stdout.replaceAll(/\s+/g, ' ')))
        printed = await bench('plain.cjs', '--duration', duration, '--rounds', '3');
    }
    const { stdout, code } = printed;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /stock {3}Fulmar {10}ratio\nCPU µs\/request .* {2}lower is better\nrequests\/s .* {2}higher is better\n/);
    assert.match(stdout, /To repeat:\n {2}fulmar bench plain\.cjs --path \/ .*\n$/);
  });

  it('finds an application that ignores PORT, gives it its arguments and NODE_ENV=production', async () => {
    const { routes, repeat } = await report('fixed.mjs', '--', 'argument');
    assert.equal(routes[0]?.verified, 'status and content');
    assert.match(repeat, / -- argument$/);
  });

  it('finds an application that listens on another port each time', async () => {
    const { routes, process: measured } = await report('any.cjs');
    assert.equal(routes[0]?.verified, 'status and content');
    assert.equal(measured.coldStartMs.values.length, 2);
  });

  it('finds the routes of Express through mounted routers, and names those that need values', async () => {
    const { frameworks, routes, leftOut, notes } = await report('routes.cjs');
    assert.deepEqual(frameworks, ['Express']);
    assert.deepEqual(
      routes.map(({ path }) => path),
      ['/api/items', '/'],
    );
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['/api/private'],
    );
    assert.ok(
      notes.some((note) => note.includes('/api/items/:id')),
      notes.join('\n'),
    );
  });

  it('shows Fulmar alone where stock Node cannot run the file', async () => {
    const { columns, notes } = await report('typed.tsx');
    assert.deepEqual(columns, ['Fulmar']);
    assert.ok(notes.some((note) => /^Fulmar only: Node .* cannot run this file/.test(note)));
  });

  it('voids a row whose replies go wrong under load, with exit code 1', async () => {
    const { stdout, code } = await bench('plain.cjs', '--path', '/fragile');
    assert.equal(code, 1);
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /void: wrong replies under load \((?:stock|Fulmar)\): \d+ × another status than 200 \(429: \d+\)/,
    );
  });

  const failures: [file: string, message: RegExp, options?: string[]][] = [
    [
      'ends.cjs',
      /^fulmar: the application under stock Node ended before it listened \(exit code 3\)\. Its last output:\n {2}DATABASE_URL is missing\n$/,
    ],
    [
      'silent.cjs',
      /did not listen on a TCP port within 1\.5 s\. Its last output:\n {2}waiting for a database\n$/,
      ['--start-timeout', '1.5'],
    ],
    ['two.cjs', /listens on several ports \(\d+, \d+\); name one with --port\./],
    ['absent.cjs', /^fulmar: cannot find absent\.cjs/],
    ['plain.cjs', /nothing to measure:\n {2}\/where: the replies differ/, ['--path', '/where']],
  ];
  for (const [file, message, options = []] of failures) {
    it(`says what is wrong with ${file} ${options.join(' ')}, with exit code 1`, async () => {
      const { stdout, stderr, code } = await bench(file, ...options);
      assert.match(stderr, message);
      assert.deepEqual([code, stdout], [1, '']);
    });
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`leaves no process and no file behind after ${signal}`, async () => {
      const running = start(folder, ['bench', `${folder}/slow.cjs`, '--no-wait', '--duration', '20'], {
        patienceMs: 60_000,
        env: { TMPDIR: folder },
      });
      const isLoaded = (): boolean => children(running.pid).some((command) => command.includes('fulmar-load'));
      for (let tries = 0; tries < 1_000 && !isLoaded(); tries++) await sleep(20);
      assert.ok(isLoaded(), 'the load generator runs');
      running.kill(signal);
      const { code } = await running.ended;
      assert.equal(code, signal === 'SIGINT' ? 130 : 143);
      for (let tries = 0; tries < 100 && leftBehind().length > 0; tries++) await sleep(20);
      assert.deepEqual(leftBehind(), []);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.startsWith('fulmar-bench-')),
        [],
      );
    });
  }
});

/** Command lines of the children of a process. */
function children(parent: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const isChild = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      return isChild ? [readFileSync(`/proc/${name}/cmdline`, 'latin1')] : [];
    } catch {
      return [];
    }
  });
}

describe('fulmar bench of an address', { skip }, () => {
  it('measures a server that runs, with its CPU time and memory', async () => {
    const server = start(folder, [`${folder}/fixed.mjs`, 'x'], { plain: true, patienceMs: 60_000 });
    const address = `http://127.0.0.1:${port}/some?query=1`;
    for (let tries = 0; tries < 500 && !(await isUp(address)); tries++) await sleep(20);
    const { columns, routes, process: measured, notes } = await report(address);
    server.kill('SIGKILL');
    await server.ended;
    assert.deepEqual(columns, ['server']);
    assert.equal(routes[0]?.path, '/some?query=1');
    assert.ok(routes[0]?.void !== null || (routes[0]?.cpuUs.values[0] ?? 0) > 0);
    assert.ok((measured.loadedBytes.values[0] ?? 0) > 0);
    assert.ok(notes.some((note) => note.includes(String(server.pid))));
  });

  const refusals: [address: string, message: RegExp][] = [
    [`http://127.0.0.1:${port}/`, /^fulmar: no server answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start it first/],
    ['https://127.0.0.1/', /an address begins with http:\/\/ \(no TLS\)/],
    ['http://192.0.2.1/', /192\.0\.2\.1 is not this machine\..*--allow-remote/],
  ];
  for (const [address, message] of refusals) {
    it(`refuses ${address.replace(String(port), 'PORT')}`, async () => {
      const { stderr, code } = await bench(address);
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }
});

async function isUp(address: string): Promise<boolean> {
  return fetch(address).then(
    () => true,
    () => false,
  );
}
