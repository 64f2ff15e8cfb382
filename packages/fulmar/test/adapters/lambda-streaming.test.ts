/**
 * Response streaming: against what Lambda's Node runtime does with the stream (the prelude goes with the first
 * write), with streams that are full, that close, and applications that break off.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApp } from '../../src/app/index.ts';
import { lambdaStream } from '../../src/adapters/lambda/index.ts';
import express from '../../src/express/index.ts';
import { eventOf, RECORDED_SCHEDULE, RECORDED_SQS } from './events.ts';

const quiet = { logger: { error: () => {} } };
type Global = { awslambda?: unknown };

/** As the runtime's: `_onBeforeFirstWrite` puts the prelude and eight zeros in front. */
class ResponseStream extends Writable {
  readonly pieces: Buffer[] = [];
  contentType = '';
  _onBeforeFirstWrite: ((write: (piece: string | Uint8Array) => void) => void) | null = null;
  #waiting: (() => void)[] = [];
  isHeld = false;

  setContentType(type: string): void {
    this.contentType = type;
  }
  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.pieces.push(piece);
    if (this.isHeld) this.#waiting.push(done);
    else done();
  }
  release(): void {
    this.isHeld = false;
    for (const done of this.#waiting.splice(0)) done();
  }
  override write(...given: unknown[]): boolean {
    const before = this._onBeforeFirstWrite;
    this._onBeforeFirstWrite = null;
    before?.((piece) => super.write(piece));
    return (super.write as (...all: unknown[]) => boolean)(...given);
  }
  get parts(): { prelude: { statusCode: number; headers: Record<string, string>; cookies?: string[] }; content: string } {
    const all = Buffer.concat(this.pieces);
    const end = all.indexOf(Buffer.alloc(8));
    return { prelude: JSON.parse(all.subarray(0, end).toString()), content: all.subarray(end + 8).toString() };
  }
}

const awslambda = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from(stream: ResponseStream, prelude: object): ResponseStream {
      stream.setContentType('application/vnd.awslambda.http-integration-response');
      stream._onBeforeFirstWrite = (write) => {
        write(JSON.stringify(prelude));
        write(new Uint8Array(8));
      };
      return stream;
    },
  },
};

before(() => void ((globalThis as Global).awslambda = awslambda));
after(() => void delete (globalThis as Global).awslambda);

const event = (path: string, method = 'GET') => eventOf('v2', { path, method });

function application() {
  const app = createApp(quiet);
  app.get('/', (c) => c.cookie('a', '1').cookie('b', '2').text('hello ✓'));
  app.get('/nothing', () => undefined);
  app.get('/pieces', function* () {
    yield 'one ';
    yield 'two';
  });
  return app;
}

describe('lambdaStream', () => {
  for (const [name, path, method, status, content] of [
    ['a whole reply', '/', 'GET', 200, 'hello ✓'],
    ['pieces', '/pieces', 'GET', 200, 'one two'],
    ['204', '/nothing', 'GET', 204, ''],
    ['HEAD', '/', 'HEAD', 200, ''],
    ['404', '/none', 'GET', 404, '{"title":"Not Found","status":404,"detail":"Nothing is at /none."}'],
  ] as const) {
    it(name, async () => {
      const stream = new ResponseStream();
      await lambdaStream(application())(event(path, method), stream, {});
      assert.equal(stream.contentType, 'application/vnd.awslambda.http-integration-response');
      const { prelude, content: sent } = stream.parts;
      assert.deepEqual([prelude.statusCode, sent, stream.writableFinished], [status, content, true]);
      assert.equal('connection' in prelude.headers || 'transfer-encoding' in prelude.headers, false);
      assert.deepEqual(
        prelude.cookies?.map((line) => line.slice(0, 3)),
        path === '/' ? ['a=1', 'b=2'] : undefined,
      );
    });
  }

  it('an Express application', async () => {
    const app = express();
    app.get('/', (_req, res) => {
      res.cookie('a', '1').cookie('b', '2').write('one ');
      res.end('two');
    });
    const stream = new ResponseStream();
    await lambdaStream(app as never)(event('/'), stream, {});
    const { prelude, content } = stream.parts;
    assert.deepEqual([content, prelude.cookies, prelude.headers['x-powered-by']], ['one two', ['a=1; Path=/', 'b=2; Path=/'], 'Express']);
  });

  it('waits while the stream is full', async () => {
    const app = createApp(quiet);
    let made = 0;
    app.get('/', function* () {
      for (; made < 50; made++) yield new Uint8Array(64 * 1024);
    });
    const stream = new ResponseStream();
    stream.isHeld = true;
    const done = lambdaStream(app)(event('/'), stream, {});
    while (stream.pieces.length === 0) await nextTurn();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.ok(made < 5, `${made} pieces were made for a stream that takes none`);
    stream.release();
    await done;
    assert.equal(made, 50);
    assert.equal(stream.parts.content.length, 50 * 64 * 1024);
  });

  it('ends the application’s work with a client that leaves', { timeout: 5000 }, async () => {
    const app = createApp(quiet);
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    app.get('/', async function* () {
      try {
        for (;;) {
          yield 'x';
          await nextTurn();
        }
      } finally {
        end();
      }
    });
    const stream = new ResponseStream();
    const done = lambdaStream(app)(event('/'), stream, {});
    while (stream.pieces.length < 5) await nextTurn();
    stream.destroy();
    await assert.rejects(done, /broken off/);
    await ended;
  });

  it('a reply that is broken off destroys the stream', async () => {
    const app = createApp(quiet);
    app.get('/', function* () {
      yield 'half';
      throw new Error('of the database');
    });
    const stream = new ResponseStream();
    stream.on('error', () => {});
    await assert.rejects(lambdaStream(app)(event('/'), stream, {}), /broken off/);
    assert.equal(stream.destroyed, true);
  });

  it('time that is over before the reply has begun is 503', { timeout: 5000 }, async () => {
    const app = createApp(quiet);
    app.get('/', () => new Promise(() => {}));
    const stream = new ResponseStream();
    await lambdaStream(app, { deadlineMs: 50 })(event('/'), stream, { getRemainingTimeInMillis: () => 60 });
    assert.deepEqual([stream.parts.prelude.statusCode, JSON.parse(stream.parts.content).status], [503, 503]);
  });

  it('keeps warm, and refuses records', async () => {
    const stream = new ResponseStream();
    await lambdaStream(application())(RECORDED_SCHEDULE, stream, {});
    assert.equal(stream.writableEnded, true);
    await assert.rejects(
      lambdaStream(application())(RECORDED_SQS, new ResponseStream(), {}),
      /lambdaStream\(\) answers requests .* records of aws:sqs/,
    );
  });

  it('says where it cannot be used, when it is called', () => {
    delete (globalThis as Global).awslambda;
    try {
      assert.throws(() => lambdaStream(application()), /lambdaStream\(\) needs the global awslambda/);
    } finally {
      (globalThis as Global).awslambda = awslambda;
    }
  });
});
