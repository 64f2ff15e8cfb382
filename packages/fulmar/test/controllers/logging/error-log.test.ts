/** Errors that nobody answers for go where classes of the application log: to `Logger`, whatever stands for it. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Controller, createApplication, Get, Logger, type NestApplicationOptions } from '../../../src/controllers/index.ts';

@Controller()
class Failing {
  @Get()
  show(): never {
    throw new Error('first\nsecond', { cause: new Error('because') });
  }
}

const told: unknown[][] = [];
const logger = { log: () => undefined, warn: () => undefined, error: (...what: unknown[]) => void told.push(what) };

async function fail(options: NestApplicationOptions = {}): Promise<unknown[][]> {
  told.length = 0;
  const app = await createApplication({ controllers: [Failing], ...options });
  assert.equal((await app.inject('/')).status, 500);
  await app.close();
  return told;
}

afterEach(() => Logger.overrideLogger(true));

test('without a logger of the application they go to that of Logger, with what has caused them', async () => {
  Logger.overrideLogger(logger);
  const [line] = await fail();
  assert.deepEqual([line?.[0], line?.[2]], ['GET / (Failing.show)', 'Application']);
  assert.match(String(line?.[1]), /^Error: first\nsecond\n\s+at [^]*\[cause\]: Error: because/);
});

test('a logger of the application is given the error itself; none is told nothing', async () => {
  const [line] = await fail({ logger });
  assert.equal(line?.[0], 'GET / (Failing.show)');
  assert.ok(line?.[1] instanceof Error);
  Logger.overrideLogger(logger);
  assert.deepEqual(await fail({ logger: false }), []);
});

test('levels without errors are silent', async (context) => {
  const write = context.mock.method(process.stderr, 'write', () => true);
  await fail({ logger: ['fatal'] });
  assert.equal(write.mock.callCount(), 0);
  for (const logger of [['error'], ['warn']] as const) await fail({ logger: [...logger] });
  const lines = write.mock.calls.map(({ arguments: [line] }) => String(line)).filter((line) => line.includes('GET /'));
  assert.deepEqual(
    lines.map((line) => /ERROR .*/.exec(line)?.[0]),
    ['ERROR [Application] GET / (Failing.show)', 'ERROR [Application] GET / (Failing.show)'],
  );
});
