/** Random chains of Koa middleware: 1,000 programs per run. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { test } from 'node:test';
import { defineRandom } from '../../harness/random/define.ts';
import { Driver } from '../../harness/random/driver.ts';
import { shrink } from '../../harness/random/shrink.ts';
import { loadSides } from '../../harness/sides.ts';
import { generateProgram } from './generate.ts';
import { play } from './play.ts';
import { smallerPrograms } from './shrink.ts';

defineRandom({
  programs: 'programs',
  file: 'tests/parity/koa/random/random.test.ts',
  count: 1_000,
  generate: generateProgram,
  open: async () => await Driver.open(play, await loadSides()),
  smaller: smallerPrograms,
});

test('generates the same program for the same seed, and finds a difference that is there', async () => {
  assert.deepEqual(generateProgram(7), generateProgram(7));
  const sides = await loadSides();
  const quiet = { ...sides.upstream, http: { ...sides.upstream.http, createServer: withField } };
  const broken = await Driver.open(play, { upstream: sides.upstream, ours: quiet as unknown as typeof sides.ours });
  try {
    const program = { ...generateProgram(7), version: 3 as const };
    assert.equal((await broken.compare(program)).equal, false, 'a field that only one side sends is not seen');
    const small = await shrink(program, async (candidate) => !(await broken.compare(candidate)).equal, smallerPrograms);
    assert.equal(small.requests.length, 1);
    assert.equal(small.middleware.length, 0);
  } finally {
    await broken.close();
  }
});

/** A server of node:http whose replies carry one field more. */
function withField(): Server {
  const server = createServer();
  const { on } = server;
  server.on = function listen(this: Server, event: string, listener: (...args: never[]) => void) {
    if (event !== 'request') return Reflect.apply(on, this, [event, listener]);
    const louder: RequestListener = (req, res) => {
      const { writeHead } = res;
      res.writeHead = ((...args: unknown[]) => {
        res.setHeader('X-Louder', '1');
        return Reflect.apply(writeHead, res, args);
      }) as typeof res.writeHead;
      (listener as RequestListener)(req, res);
    };
    return Reflect.apply(on, this, [event, louder]);
  } as typeof server.on;
  return server;
}
