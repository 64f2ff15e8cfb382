/**
 * How a process ends: events, exit codes and what is said of errors that nobody caught, on Node and on the
 * QuickJS host.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alike, onNative, onNode } from './support.ts';

const NOTE =
  "process.on('exit', (code) => console.log('exit', code, process.exitCode)); process.on('beforeExit', (code) => console.log('beforeExit', code));";

/** Scripts whose last statement may throw; the text of that statement is an excerpt and not compared. */
const scripts: Readonly<Record<string, string>> = {
  'ends when nothing is left': `${NOTE} console.log('run')`,
  'goes on when beforeExit adds work': `let more = 2; process.on('beforeExit', () => { if (more-- > 0) setTimeout(() => console.log('more'), 1); }); ${NOTE}`,
  'ends with exitCode': `${NOTE} process.exitCode = 3`,
  'ends with a code as text': `${NOTE} process.exit('4')`,
  'ends at once with process.exit': `${NOTE} setTimeout(() => console.log('never'), 1); process.nextTick(() => console.log('never')); process.exit(5)`,
  'ignores ticks after exit':
    "process.on('exit', () => { process.nextTick(() => console.log('never')); Promise.resolve().then(() => console.log('never')); console.log('last') }); process.exit()",
  'takes a code set in exit': "process.on('exit', () => { process.exitCode = 9 })",
  'exits within exit': "process.on('exit', () => { console.log('once'); process.exit(6) }); process.exit(2)",
  'tells an error': `${NOTE}\nthrow new Error('boom')`,
  'tells a type error with fields': `\nthrow Object.assign(new TypeError('boom'), { code: 'CODE', more: [1, { a: 2 }] })`,
  'tells a cause': "\nthrow new Error('outer', { cause: new RangeError('inner') })",
  'tells an object': '\nthrow { a: 1 }',
  'tells an error of a timer': "setTimeout(() => {\nthrow new Error('late')\n}, 1); setTimeout(() => console.log('never'), 2)",
  'tells an error of a tick': "process.nextTick(() => {\nthrow new Error('tick')\n}); setImmediate(() => console.log('never'))",
  'tells an error of a microtask': "queueMicrotask(() => {\nthrow new Error('microtask')\n})",
  'tells an unhandled rejection': `${NOTE}\nPromise.reject(new Error('rejected'))`,
  'tells a rejection that is no error': '\nPromise.reject(5)',
  'tells an error of an async function': "(async () => {\nthrow new Error('async')\n})()",
  'knows a rejection handled in time':
    "const promise = Promise.reject(new Error('x')); process.nextTick(() => promise.catch(() => console.log('handled')))",
  'gives an error to who listens': `${NOTE} process.on('uncaughtException', (error, origin) => console.log(error.message, origin)); setTimeout(() => console.log('goes on'), 5);\nthrow new Error('told')`,
  'gives a rejection to who listens':
    "process.on('uncaughtException', (error, origin) => console.log(error.message, origin));\nPromise.reject(new Error('rejected'))",
  'lets the monitor see the error': `process.on('uncaughtExceptionMonitor', (error, origin) => console.log('monitor', error.message, origin)); ${NOTE}\nthrow new Error('seen')`,
  'ends with 7 when the listener throws':
    "process.on('uncaughtException', () => {\nthrow new Error('in the listener')\n}); throw new Error('first')",
  // Versions of Node differ in whether immediates come before the ticks that are left.
  'goes on with ticks after an error':
    "process.on('uncaughtException', (error) => console.log(error.message)); process.nextTick(() => { throw new Error('one') }); process.nextTick(() => console.log('two'))",
  'goes on with timers after an error':
    "process.on('uncaughtException', (error) => console.log(error.message)); for (const n of [1, 2, 3]) setTimeout(() => { if (n === 2) throw new Error('two'); console.log(n) }, 1)",
  'goes on with immediates after an error':
    "process.on('uncaughtException', (error) => console.log(error.message)); for (const n of [1, 2, 3]) setImmediate(() => { if (n === 2) throw new Error('two'); console.log(n) })",
  'warns once of a deprecation without a listener':
    "process.emitWarning('old', 'DeprecationWarning', 'DEP1'); process.emitWarning('text', { code: 'C', detail: 'more\\nlines' })",
  'does not wait for what is unreferenced':
    "setTimeout(() => console.log('never'), 60_000).unref(); setInterval(() => console.log('never'), 60_000).unref(); setImmediate(() => console.log('runs'))",
  'a long sequence of ticks':
    "let n = 0; const tick = () => { if (++n < 5000) process.nextTick(tick); else console.log(n) }; tick(); setImmediate(() => console.log('after', n))",
  'deep recursion is a RangeError': 'function f() { return f() + 1 } try { f() } catch (error) { console.log(error.name, error.message) }',
};

describe('the end of a process', { concurrency: 2 }, () => {
  for (const [name, text] of Object.entries(scripts)) {
    test(name, async () => {
      const [node, native] = await Promise.all([onNode(text), onNative(text)]);
      assert.equal(native.stdout, node.stdout);
      assert.deepEqual([native.code, native.signal], [node.code, node.signal]);
      assert.equal(lines(native.stderr, text), lines(node.stderr, text));
    });
  }

  test('an error names the place and the line', async () => {
    const { stderr } = await onNative("\n  throw new Error('here');\n");
    assert.match(stderr, /script-\d+\.cjs:2\n {2}throw new Error\('here'\);\n {2}\^\n\nError: here\n {4}at .*script-\d+\.cjs:2:\d+/);
    assert.match(stderr, /\nFulmar v\d+\.\d+\.\d+ \(native\)\n$/);
  });

  test('a stack tells where its error was made, not where it was thrown again', async () => {
    const [node, native] = await Promise.all([onNode(STACKS), onNative(STACKS)]);
    assert.equal(native.stdout, node.stdout);
    assert.equal(native.stdout.split('\n').length, 12, native.stdout);
    assert.deepEqual([native.stderr, native.code], ['', 0]);
  });

  test("an error of a request's listener has the stack of where it was made", async () => {
    for (const module of ['node:http', 'fulmar/http']) {
      const { stdout } = await onNative(`const http = require('${module}');
        process.on('uncaughtException', (error) => { console.log(/at inner .*\\n.*at listener /.test(error.stack)); process.exit() });
        function inner() { return new Error('x') }
        const server = http.createServer(function listener(req, res) { throw inner() });
        server.listen(0, () => require('node:http').get({ port: server.address().port }).on('error', () => {}))`);
      assert.equal(stdout, 'true\n', module);
    }
  });

  test('modes of unhandled rejections follow NODE_OPTIONS', async () => {
    const text =
      "process.on('exit', (code) => console.log(code)); Promise.reject(new Error('x')); setTimeout(() => console.log('later'), 1)";
    for (const mode of ['none', 'warn', 'strict', 'throw']) {
      const env = { NODE_OPTIONS: `--unhandled-rejections=${mode}` };
      const [node, native] = [await onNode(text, { env }), await onNative(text, { env })];
      assert.deepEqual([native.stdout, native.code], [node.stdout, node.code], mode);
    }
  });

  test('NODE_NO_WARNINGS silences warnings', async () => {
    const { stderr, stdout } = await onNative("process.on('warning', (w) => console.log(w.message)); process.emitWarning('x')", {
      env: { NODE_NO_WARNINGS: '1' },
    });
    assert.deepEqual([stderr, stdout], ['', 'x\n']);
  });
});

/** Writes the application's frames of errors that come to their listener in many ways. */
const STACKS = `
const tell = (name, error) => {
  const frames = error.stack.split('\\n').filter((line) => line.includes('script-'));
  console.log(name, frames.map((line) => /(\\w+)(?: \\[as \\w+\\])? \\(.*:(\\d+):\\d+\\)$/.exec(line)?.slice(1).join(':')).slice(0, 2).join());
};
process.on('uncaughtException', (error) => { tell(error.message, error); setTimeout(next, 1) });
function make(message) { return new Error(message) }
function throws(message) { throw make(message) }
function again(message) { try { throws(message) } catch (error) { throw error } }
function last(message) { try { throws(message) } finally { Date.now() } }
function own(message) { const error = new Error(message); error.stack = 'script- (:1:1)'; throw error }
for (const call of [again, last, own]) try { call('call') } catch (error) { tell(call.name, error) }
const object = { message: 'object' };
(function captured() { Error.captureStackTrace(object) })();
tell('object', object);
Error.captureStackTrace(object, function absent() {});
tell('absent', object);
const steps = [
  () => process.nextTick(function tick() { throws('tick') }),
  () => queueMicrotask(function microtask() { throws('microtask') }),
  () => setTimeout(function timer() { throws('timer') }, 1),
  () => setImmediate(function immediate() { throws('immediate') }),
  async function waits() { await null; try { throws('waits') } finally { Date.now() } },
  () => new (require('node:events'))().on('event', function listener() { last('listener') }).emit('event'),
];
const next = () => steps.shift()?.();
next();
`;

/** Without the excerpt: the source's own lines. */
function lines(stderr: string, text: string): string {
  const source = new Set(text.split('\n'));
  return alike(
    stderr
      .split('\n')
      .filter((line) => !source.has(line) && !/^ {6}new UnhandledPromiseRejection\(reason\);$/.test(line))
      .join('\n'),
  ).replaceAll(/\n\s*at .*/g, '');
}
