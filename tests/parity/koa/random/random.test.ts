/**
 * Random chains of Koa middleware: 1,000 programs per run, the same ones every time, on upstream and on ours.
 * PARITY_SEED=n runs that one program; PARITY_FROM=n starts the run at another seed; PARITY_APPS=n runs another number.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServer, type RequestListener, type Server } from 'node:http';
import { inspect } from 'node:util';
import { loadSides } from '../../harness/sides.ts';
import { Driver, type Verdict } from './drive.ts';
import { generateProgram } from './generate.ts';
import type { ProgramModel } from './model.ts';
import { shrink } from './shrink.ts';

const APPS_DEFAULT = 1_000;
const FIRST_SEED = 1;
/** One test per so many programs, so that a failure is near its seed and the others still run. */
const BATCH = 250;

const one = process.env['PARITY_SEED'];
const first = Number(one ?? process.env['PARITY_FROM'] ?? FIRST_SEED);
const count = one === undefined ? Number(process.env['PARITY_APPS'] ?? APPS_DEFAULT) : 1;

let driver: Driver;
before(async () => {
  driver = await Driver.open(await loadSides());
});
after(() => driver.close());

for (let start = first; start < first + count; start += BATCH) {
  const end = Math.min(start + BATCH, first + count);
  test(`the random programs of the seeds ${start} to ${end - 1} behave as upstream`, async () => {
    for (let seed = start; seed < end; seed++) {
      const program = generateProgram(seed);
      const verdict = await driver.compare(program);
      if (!verdict.equal) assert.fail(await report(seed, program, verdict));
    }
  });
}

async function report(seed: number, program: ProgramModel, verdict: Verdict): Promise<string> {
  let smallest = verdict;
  const small = await shrink(program, async (candidate) => {
    const found = await driver.compare(candidate);
    if (!found.equal) smallest = found;
    return !found.equal;
  });
  return [
    `seed ${seed} differs; the smallest program found that still does:`,
    inspect(small, { depth: 20, breakLength: 160 }),
    difference(smallest),
    `replay: PARITY_SEED=${seed} node --import ./scripts/ts-register.mjs --test tests/parity/koa/random/random.test.ts`,
  ].join('\n');
}

function difference({ upstream, ours }: Verdict): string {
  try {
    assert.deepStrictEqual(ours, upstream);
    return 'the difference has gone';
  } catch (error) {
    return `ours (+) and upstream (-):\n${(error as Error).message}`;
  }
}

test('generates the same program for the same seed, and finds a difference that is there', async () => {
  assert.deepEqual(generateProgram(7), generateProgram(7));
  const sides = await loadSides();
  const quiet = { ...sides.upstream, http: { ...sides.upstream.http, createServer: withField } };
  const broken = await Driver.open({ upstream: sides.upstream, ours: quiet as unknown as typeof sides.ours });
  try {
    const program = { ...generateProgram(7), version: 3 as const };
    assert.equal((await broken.compare(program)).equal, false, 'a field that only one side sends is not seen');
    const small = await shrink(program, async (candidate) => !(await broken.compare(candidate)).equal);
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
