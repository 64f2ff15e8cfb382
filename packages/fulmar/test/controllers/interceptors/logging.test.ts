/**
 * `LoggingInterceptor`: a line for each reply, when it has left.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { interval, map, take } from 'rxjs';
import { createMockExecutionContext } from '../../../src/controllers/testing/index.ts';
import {
  type CallHandler,
  Controller,
  Get,
  LoggingInterceptor,
  Module,
  NestFactory,
  NotFoundException,
  Res,
  Sse,
  StreamableFile,
} from '../../../src/controllers/index.ts';
import { kept } from '../kept.ts';

let reached: (() => void) | null = null;

@Controller('log')
class Logged {
  @Get('ok')
  ok() {
    return { ok: true };
  }
  @Get('missing')
  missing(): never {
    throw new NotFoundException();
  }
  @Get('broken')
  broken(): never {
    throw new Error('secret');
  }
  @Get('own')
  own(@Res() res: { status(code: number): { send(text: string): void } }) {
    res.status(202).send('own');
  }
  @Get('file')
  file() {
    return new StreamableFile(Buffer.from('file'));
  }
  @Sse('events')
  events() {
    return interval(1).pipe(
      take(2),
      map((data) => ({ data: String(data) })),
    );
  }
  @Get('never')
  never() {
    reached?.();
    return new Promise(() => undefined);
  }
  @Get('*path')
  any() {
    return 'any';
  }
}
@Module({ controllers: [Logged] })
class App {}

class Lines {
  readonly lines: string[] = [];
  #waiting: (() => void) | null = null;
  log(line: string): void {
    this.lines.push(line);
    this.#waiting?.();
  }
  error(line: string): void {
    this.log(`error ${line}`);
  }
  async next(): Promise<string> {
    while (this.lines.length === 0) await new Promise<void>((resolve) => (this.#waiting = resolve));
    return (this.lines.shift() as string).replace(/\d+\.\d ms$/, '0.0 ms');
  }
}

const CASES: readonly (readonly [path: string, line: string])[] = [
  ['/log/ok?token=secret', 'GET /log/ok 200 0.0 ms'],
  ['/log/missing', 'GET /log/missing 404 0.0 ms'],
  ['/log/broken', 'error GET /log/broken 500 0.0 ms'],
  ['/log/own', 'GET /log/own 202 0.0 ms'],
  ['/log/file', 'GET /log/file 200 0.0 ms'],
  ['/log/events', 'GET /log/events 200 0.0 ms'],
];

for (const hasMiddleware of [false, true])
  test(`replies of all kinds are told with their status${hasMiddleware ? ', behind middleware' : ''}`, async () => {
    const lines = new Lines();
    const app = kept(await NestFactory.create(App, { logger: false }));
    if (hasMiddleware) app.use((_req: unknown, _res: unknown, next: () => void) => next());
    app.useGlobalInterceptors(new LoggingInterceptor(lines));
    await app.listen(0, '127.0.0.1');
    const origin = await app.getUrl();
    for (const [path, line] of CASES) {
      await (await fetch(origin + path)).text();
      assert.equal(await lines.next(), line);
    }
    assert.deepEqual(lines.lines, []);
  });

test('no path ends a line or its own end', async () => {
  const lines = new Lines();
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new LoggingInterceptor(lines));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /log/a"b\\c%0Ad HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 'latin1');
  const line = await lines.next();
  socket.destroy();
  assert.match(line, /^GET \/log\/a\\x22b\\x5cc%0Ad 200 0\.0 ms$/);
  await fetch(`${await app.getUrl()}/log/${'x'.repeat(5000)}`);
  assert.ok((await lines.next()).length < 2100);
});

test('a client that leaves is told without a status', async () => {
  const lines = new Lines();
  const app = kept(await NestFactory.create(App, { logger: false }));
  app.useGlobalInterceptors(new LoggingInterceptor(lines));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const arrived = new Promise<void>((resolve) => (reached = resolve));
  socket.write('GET /log/never HTTP/1.1\r\nHost: a\r\n\r\n');
  await arrived;
  socket.destroy();
  assert.equal(await lines.next(), 'GET /log/never - 0.0 ms');
});

test('without an application it logs what the response of the test says', async () => {
  const lines = new Lines();
  const next = Object.assign(() => Promise.resolve(1), { handle: () => undefined }) as unknown as CallHandler;
  assert.equal(await new LoggingInterceptor(lines).intercept(createMockExecutionContext(), next), 1);
  assert.match(await lines.next(), /^GET \/ 200/);
  assert.throws(() => new LoggingInterceptor({} as never), /takes an object with log\(\) and error\(\)/);
});
