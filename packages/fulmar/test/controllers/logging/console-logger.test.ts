/**
 * `ConsoleLogger`: its lines, and which there are.
 */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ConsoleLogger, Logger } from '../../../src/controllers/index.ts';

function written(use: () => void): { out: string[]; err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  const keep = (list: string[], text: string): boolean => list.push(text.replace(/ \d+ {2}- \S+Z /, ' ')) > 0;
  const stdout = mock.method(process.stdout, 'write', (text: string) => keep(out, text));
  const stderr = mock.method(process.stderr, 'write', (text: string) => keep(err, text));
  try {
    use();
  } finally {
    stdout.mock.restore();
    stderr.mock.restore();
  }
  return { out, err };
}

test('lines have a level, a context and what is said', () => {
  const logger = new ConsoleLogger('Cats');
  const { stack } = new Error('no');
  const { out, err } = written(() => {
    logger.log('one', { two: 2 });
    logger.warn('three', 'Dogs');
    logger.error('four', stack, 'Dogs');
    logger.fatal('five');
  });
  assert.deepEqual(out, ['[Fulmar]     LOG [Cats] one\n', '[Fulmar]     LOG [Cats] { two: 2 }\n', '[Fulmar]    WARN [Dogs] three\n']);
  assert.deepEqual(err, ['[Fulmar]   ERROR [Dogs] four\n', `${stack}\n`, '[Fulmar]   FATAL [Cats] five\n']);
});

test('levels that are not named are left out, but for what is worse than all', () => {
  const logger = new ConsoleLogger({ logLevels: ['debug', 'warn'], prefix: 'App' });
  const { out, err } = written(() => {
    for (const level of ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] as const) logger[level](level);
  });
  assert.deepEqual(
    [...out, ...err].map((line) => line.trim().split(' ').at(-1)),
    ['debug', 'warn', 'error', 'fatal'],
  );
});

test('loggers of classes follow the levels of all', () => {
  const logger = new Logger('Cats');
  const seen = written(() => {
    Logger.overrideLogger(['error']);
    logger.warn('no');
    logger.error('yes');
    Logger.overrideLogger(false);
    logger.error('no');
  });
  Logger.overrideLogger(true);
  assert.deepEqual(seen, { out: [], err: ['[Fulmar]   ERROR [Cats] yes\n'] });
});
