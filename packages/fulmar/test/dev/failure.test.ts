/** Whatever is thrown becomes something that can be shown, however hostile it is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Failure, readFailure } from '../../src/dev/failure.ts';
import { CAUSES_MAX, ERRORS_MAX, FAILURES_MAX, MESSAGE_CHARS_MAX } from '../../src/dev/limits.ts';
import { framesOf, ownerOf } from '../../src/dev/stack.ts';

const countOf = (failure: Failure): number =>
  1 + (failure.cause === null ? 0 : countOf(failure.cause)) + failure.errors.reduce((sum, error) => sum + countOf(error), 0);

class PaymentRefused extends Error {}

describe('an error', () => {
  it('has its class, message, code, frames and cause', () => {
    const error = new PaymentRefused('no money', { cause: Object.assign(new TypeError('inner'), { code: 'E_INNER' }) });
    const { name, message, code, frames, cause } = readFailure(error);
    assert.deepEqual([name, message, code], ['PaymentRefused', 'no money', null]);
    assert.equal(frames[0]?.file, import.meta.filename);
    assert.equal(frames[0]?.owner, 'application');
    assert.deepEqual([cause?.name, cause?.message, cause?.code], ['TypeError', 'inner', 'E_INNER']);
  });

  it('of another language has the class that it has there', () => {
    const error = Object.assign(new Error("'huge'"), {
      name: 'GuestError',
      guest: 'python',
      class: 'KeyError',
      code: 'ERR_GUEST_EXCEPTION',
    });
    error.stack =
      "KeyError: 'huge'\n    at predict (/srv/app/model.py:4:1)\n    at run (/usr/lib/python3.11/runpy.py:9:1)\n    at handler (/srv/app/server.js:2:3)";
    const { name, code, frames } = readFailure(error);
    assert.deepEqual([name, code], ['KeyError', 'ERR_GUEST_EXCEPTION']);
    assert.deepEqual(
      frames.map(({ name: of, file, line, owner }) => [of, file, line, owner]),
      [
        ['predict', '/srv/app/model.py', 4, 'application'],
        ['run', '/usr/lib/python3.11/runpy.py', 9, 'package'],
        ['handler', '/srv/app/server.js', 2, 'application'],
      ],
    );
  });

  it('of several has each of them', () => {
    const { errors } = readFailure(new AggregateError([new Error('one'), 'two'], 'both'));
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['one', "'two'"],
    );
  });

  it('may be its own cause, or among its own errors', () => {
    const error = new AggregateError([], 'round');
    error.errors.push(error);
    error.cause = error;
    const { cause, errors } = readFailure(error);
    assert.match(cause?.note ?? errors[0]?.note ?? '', /above/);
  });

  it('may have causes without end', () => {
    let error = new Error('first');
    for (let at = 0; at < 10_000; at++) error = new Error('next', { cause: error });
    const failure = readFailure(error);
    assert.ok(countOf(failure) <= CAUSES_MAX + 1);
  });

  it('may have errors in errors, ten thousand each', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => new AggregateError([new Error(`a ${at}`), new Error('b')], 'inner'));
    const failure = readFailure(new AggregateError(many, 'outer'));
    assert.ok(failure.errors.length <= ERRORS_MAX);
    assert.ok(countOf(failure) <= FAILURES_MAX);
  });

  it('may have a message of megabytes, in its stack as well', () => {
    const { message, frames } = readFailure(new Error('m'.repeat(20_000_000)));
    assert.ok(message.length < MESSAGE_CHARS_MAX + 100);
    assert.equal(frames[0]?.file, import.meta.filename);
  });

  it('does nothing to a terminal', () => {
    const { message } = readFailure(new Error('a\u001B[2Jb\u0007c\u009Bd\r\ne'));
    // oxlint-disable-next-line no-control-regex -- what must not be there
    assert.doesNotMatch(message, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
    assert.match(message, /^a.*\ne$/s);
  });

  const hostile: [what: string, thrown: unknown][] = [
    ['a stack that throws', Object.defineProperty(new Error('x'), 'stack', { get: () => assert.fail('stack') })],
    ['a message that throws', Object.defineProperty(new Error('x'), 'message', { get: () => assert.fail('message') })],
    ['a cause that throws', Object.defineProperty(new Error('x'), 'cause', { get: () => assert.fail('cause') })],
    ['a name and a code that are objects', Object.assign(new Error('x'), { name: {}, code: {} })],
    ['a stack that is no text', Object.assign(new Error('x'), { stack: 7 })],
    ['a proxy that throws at everything', new Proxy({}, { get: () => assert.fail('get'), getPrototypeOf: () => assert.fail('prototype') })],
    ['a revoked proxy', revoked()],
    ['an object without a prototype', Object.create(null)],
    ['an inspection that throws', { [Symbol.for('nodejs.util.inspect.custom')]: () => assert.fail('inspect') }],
    ['errors that are a proxy', Object.assign(new Error('x'), { errors: new Proxy([1], { get: () => assert.fail('errors') }) })],
    ['nothing', undefined],
    ['null', null],
    ['a symbol', Symbol('s')],
    ['a huge array', Array.from({ length: 1_000_000 }, (_, at) => at)],
    ['a function', () => undefined],
  ];
  for (const [what, thrown] of hostile) {
    it(`may be ${what}`, () => {
      const { name, message } = readFailure(thrown);
      assert.equal(typeof name, 'string');
      assert.ok(message.length < MESSAGE_CHARS_MAX + 100);
    });
  }
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('frames', () => {
  const cases: [line: string, name: string, file: string, line: number, column: number][] = [
    ['    at run (/srv/app/a.ts:3:9)', 'run', '/srv/app/a.ts', 3, 9],
    ['    at /srv/app/a.ts:3:9', '', '/srv/app/a.ts', 3, 9],
    ['    at async run (file:///srv/a%20b/a.mts:3:9)', 'async run', '/srv/a b/a.mts', 3, 9],
    ['    at async file:///srv/app/a.ts:3:9', '', '/srv/app/a.ts', 3, 9],
    ['    at new Bird (/srv/app/(group)/[id].tsx:30:1)', 'new Bird', '/srv/app/(group)/[id].tsx', 30, 1],
    ['    at Object.<anonymous> (/srv/a.ts?v=7:1:2)', 'Object.<anonymous>', '/srv/a.ts', 1, 2],
    ['    at node:internal/process/task_queues:95:5', '', 'node:internal/process/task_queues', 95, 5],
  ];
  for (const [text, ...expected] of cases) {
    it(`are read from ${text.trim()}`, () => {
      const [frame] = framesOf(`Error: x\n${text}`, 'x');
      assert.deepEqual([frame?.name, frame?.file, frame?.line, frame?.column], expected);
    });
  }

  it('are none of the message', () => {
    const message = 'told\n    at fake (/etc/passwd:1:1)';
    assert.deepEqual(
      framesOf(`Error: ${message}\n    at real (/srv/a.js:2:2)`, message).map(({ name }) => name),
      ['real'],
    );
  });

  it('that are none are left out, quickly', () => {
    const lines = ['at', '    at ', 'at (', 'at a (b)', 'at x:y:z', `at ${'(:'.repeat(100_000)}`, 'at native', 'at a (/b:0:1)'];
    assert.deepEqual(framesOf(lines.join('\n'), ''), []);
  });

  it('belong to the application, a package, Node or us', () => {
    assert.equal(ownerOf('/srv/app/src/dist/a.ts'), 'application');
    assert.equal(ownerOf('/srv/app/node_modules/pg/lib/client.js'), 'package');
    assert.equal(ownerOf('/srv/app/node_modules/fulmar/dist/lib-http.cjs'), 'fulmar');
    assert.equal(ownerOf('/srv/app/.venv/lib/python3.12/site-packages/numpy/core.py'), 'package');
    assert.equal(ownerOf('/srv/app/lib/python/model.py'), 'application');
    assert.equal(ownerOf('node:net'), 'node');
    assert.equal(ownerOf('<anonymous>'), 'node');
    assert.equal(ownerOf(new URL('../../src/http/observer.ts', import.meta.url).pathname), 'fulmar');
  });
});
