/** What JavaScript may not use up: the stack, memory and time end in a clear error, and the rest goes on. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { onNative } from './support.ts';

const SCRIPT_LIMIT = { env: { FULMAR_NATIVE_SCRIPT_LIMIT_MS: '300' } };
const MEMORY_LIMIT = { env: { FULMAR_NATIVE_MEMORY_LIMIT_MB: '64' } };

/** Each recurses as deep as it can. */
const recursions: Readonly<Record<string, string>> = {
  calls: 'f = () => f() + 1; f()',
  getters: 'o = { get a() { return this.a } }; o.a',
  'text of an object': 'o = { toString() { return `${o}` } }; String(o)',
  sorting: 'f = () => [2, 1].sort(f); f()',
  'reading JSON': "JSON.parse('['.repeat(1e6))",
  'writing JSON': 'o = {}; for (let i = 0; i < 1e5; i++) o = { o }; JSON.stringify(o)',
  proxies: 'p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
  'parentheses in source': "new Function('('.repeat(1e5))",
};

describe('limits of the native host', { concurrency: 2 }, () => {
  for (const size of ['8192', '1024', '256']) {
    test(`deep recursion is an error that can be caught, with a stack of ${size} KiB`, async () => {
      const programs = Object.entries(recursions).map(([name, text]) => `run(${JSON.stringify(name)}, () => { let f, o, p; ${text} });`);
      const text = `function run(name, program) { try { program(); console.log(name, 'ended') } catch (error) { console.log(error instanceof Error) } }
        ${programs.join('\n')} console.log('alive')`;
      const { stdout, code, signal } = await onNative(text, { shell: `ulimit -s ${size}` });
      assert.deepEqual([code, signal], [0, null]);
      assert.equal(stdout, `${'true\n'.repeat(programs.length)}alive\n`);
    });
  }

  test('too much memory is an error that can be caught', async () => {
    const text =
      "let list = []; try { for (;;) list.push('x'.repeat(1000) + list.length) } catch (error) { list = undefined; console.log(error.message) } setTimeout(() => console.log('alive'), 1)";
    const { stdout, code } = await onNative(text, MEMORY_LIMIT);
    assert.deepEqual([stdout, code], ['out of memory\nalive\n', 0]);
  });

  test('too much memory that nobody catches ends the process with a clear error', async () => {
    for (const text of [
      'const list = []; for (;;) list.push(new Array(1000).fill(1))',
      '(async () => { const list = []; for (;;) { await null; list.push({}, "x".repeat(1000) + list.length) } })()',
    ]) {
      const { stderr, code, signal } = await onNative(text, MEMORY_LIMIT);
      assert.match(stderr, /JavaScript's memory is used up: the limit is 64 MB \(FULMAR_NATIVE_MEMORY_LIMIT_MB\)/);
      assert.deepEqual([code, signal], [1, null]);
    }
  });

  test('a limit that is no number is refused', async () => {
    const { stderr, code } = await onNative('', { env: { FULMAR_NATIVE_MEMORY_LIMIT_MB: 'much' } });
    assert.equal(stderr, "fulmar: FULMAR_NATIVE_MEMORY_LIMIT_MB must be a positive integer, but is 'much'\n");
    assert.equal(code, 1);
  });

  test('an endless loop ends, and what else waits goes on', async () => {
    const text = `const interval = setInterval(() => { console.log('interval'); if (++turns === 1) for (;;); if (turns === 3) clearInterval(interval) }, 1); let turns = 0;
      setImmediate(() => { for (;;); }); setImmediate(() => console.log('immediate'));
      process.nextTick(() => { for (;;); }); process.nextTick(() => console.log('tick'));
      (async () => { await null; try { for (;;); } catch { console.log('never') } finally { console.log('never') } })(); Promise.resolve().then(() => console.log('microtask'));`;
    const { stdout, stderr, code } = await onNative(text, SCRIPT_LIMIT);
    assert.equal(stdout.split('\n').toSorted().join(), ',immediate,interval,interval,interval,microtask,tick');
    assert.equal(stderr.match(/a handler ran longer than 300 ms and was ended \(FULMAR_NATIVE_SCRIPT_LIMIT_MS\)/g)?.length, 4);
    assert.equal(code, 0);
  });

  test('… wherever within the chain the time is over', async () => {
    // QuickJS looks at the clock every so many calls: each function that is called before moves the place.
    for (let calls = 0; calls < 8; calls++) {
      const before = `const before = () => {}; ${'before();'.repeat(calls)}`;
      const text = `${before} setTimeout(() => console.log('alive'), 2); const f = () => Promise.resolve().then(f); f()`;
      const { stdout, stderr, code } = await onNative(text, SCRIPT_LIMIT);
      assert.deepEqual({ stdout, code }, { stdout: 'alive\n', code: 0 }, `${calls} calls before: ${stderr}`);
      // Twice where the first call that is ended has begun the next already.
      assert.match(
        stderr,
        /^(?:fulmar: a handler ran longer than 300 ms and was ended.*\n(?:Uncaught )?InternalError: interrupted\n[^]*?)+$/,
      );
    }
  });

  for (const [name, text] of Object.entries({
    await: '(async () => { for (;;) await null; })()',
    then: 'const f = () => Promise.resolve().then(f); f()',
    queueMicrotask: 'const f = () => queueMicrotask(f); f()',
    nextTick: 'const f = () => process.nextTick(f); f()',
    'both in turn': 'const f = () => process.nextTick(() => Promise.resolve().then(f)); f()',
    'behind a timer': 'setTimeout(async () => { for (;;) await null; }, 1)',
  })) {
    test(`a chain of callbacks without an end is ended: ${name}`, async () => {
      const { stdout, stderr, code } = await onNative(`setTimeout(() => console.log('alive'), 2); ${text}`, SCRIPT_LIMIT);
      assert.equal(stdout, 'alive\n', stderr);
      assert.match(stderr, /a handler ran longer than 300 ms and was ended/);
      assert.equal(code, 0);
    });
  }

  test('timers one behind the other, and what each leaves behind, have limits of their own', async () => {
    const text = `const busy = async (ms) => { const end = Date.now() + ms; while (Date.now() < end) await null; };
      let n = 0; for (let i = 0; i < 4; i++) setTimeout(() => busy(150).then(() => n++), 1); setTimeout(() => console.log(n), 2)`;
    const { stdout, stderr, code } = await onNative(text, SCRIPT_LIMIT);
    assert.deepEqual([stdout, stderr, code], ['4\n', '', 0]);
  });

  test('an endless loop at the start ends the process', async () => {
    const { stderr, code } = await onNative('for (;;);', SCRIPT_LIMIT);
    assert.match(stderr, /ran longer than 300 ms/);
    assert.equal(code, 1);
  });

  test('a handler in an endless loop loses its connection, others are answered', async () => {
    const text = `const http = require('fulmar/http');
      const server = http.createServer((req, res) => { if (req.url === '/loop') for (;;); if (req.url === '/end') { res.end('end'); server.close(); return } res.end('ok') });
      server.listen(0, '127.0.0.1', () => console.log(server.address().port))`;
    let answers: Promise<string[]> | undefined;
    const { code, stderr } = await onNative(text, {
      ...SCRIPT_LIMIT,
      onOutput: (_child, stdout) => {
        answers ??= conversation(Number(stdout));
      },
    });
    assert.deepEqual(await answers, ['ok', 'ECONNRESET', 'ok', 'end'], stderr);
    assert.equal(code, 0);
  });
});

async function conversation(port: number): Promise<string[]> {
  const answers: string[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const path of ['/', '/loop', '/', '/end']) answers.push(await ask(port, path));
  return answers;
}

/** The content, or the error's code. */
function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const call = request({ port, path, host: '127.0.0.1', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    call.end();
  });
}
