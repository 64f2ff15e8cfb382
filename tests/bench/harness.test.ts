/**
 * The harness of the benchmark suite: the order of measurements, the checks before load, what happens to
 * contestants that fail, resuming, interruption. Nothing here asserts a time.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Entrant {
  readonly id: string;
  readonly runtime: string;
  readonly contestant: { readonly name: string; readonly scenarios: readonly string[] };
}
interface Cell {
  readonly id: string;
  readonly kind: string;
  readonly entrant: Entrant;
  readonly round: number;
}
interface Row {
  readonly id: string;
  readonly kind: string;
  readonly entrant: string;
  readonly stage?: string;
  readonly log?: string;
  readonly problem: string | null;
  readonly verified?: number;
  readonly cpu_us?: number;
  readonly errors?: { readonly total: number };
}

const here = fileURLToPath(new URL('.', import.meta.url));
const harness = async (name: string): Promise<any> => import(new URL(`../../bench/harness/${name}.mjs`, import.meta.url).href);
const own = `node${process.versions.node.split('.')[0]}`;

async function everything() {
  const { loadScenarios } = await harness('scenarios');
  const { loadContestants, entrantsOf } = await harness('contestants');
  const scenarios: Map<string, any> = loadScenarios();
  return { scenarios, entrants: entrantsOf(loadContestants([...scenarios.keys()])) as Entrant[] };
}

describe('the plan', () => {
  it('runs every other round backwards and ours twice in each', async () => {
    const { planCells } = await harness('cells');
    const { plans } = await harness('plans');
    const cells: Cell[] = planCells({ plan: plans.full, ...(await everything()), only: ['load/hello-json/'] });
    const round = (number: number): string[] => cells.filter((cell) => cell.round === number).map(({ entrant }) => entrant.id);
    assert.deepEqual(round(1), round(0).toReversed());
    assert.deepEqual(round(2), round(0));
    assert.ok(round(0).includes('express5@fulmar-node26#2') && round(0).includes('express5@fulmar-node26'));
    assert.equal(new Set(cells.map(({ id }) => id)).size, cells.length);
  });

  it('measures a scenario right after the one that it stands beside', async () => {
    const { planCells } = await harness('cells');
    const { plans } = await harness('plans');
    const cells: Cell[] = planCells({ plan: plans.full, ...(await everything()), only: ['load/file-routes-1000'] });
    const ids = cells.map(({ id }) => id.replace('load/', ''));
    assert.equal(ids.length % 2, 0);
    for (let at = 0; at < ids.length; at += 2) assert.equal(ids[at + 1], ids[at]?.replace('file-routes-1000', 'file-routes-1000-first'));
    assert.ok(ids.includes('file-routes-1000-first/fulmar-routes@fulmar-node26/4'));
  });

  it('is listed by the groups that can be asked for, with the time each takes', async () => {
    const { listing } = await harness('listing');
    const cell = (id: string): object => ({ id, kind: id.split('/')[0] });
    const text: string = listing(
      ['load/a/x@node26/0', 'load/a/x@node26/1', 'load/a/y@bun/0', 'start/10/x@node26/0', 'memory/x@node26/0'].map(cell),
    );
    assert.deepEqual(text.split('\n'), [
      'load/a: 3 measurements, about 11 s',
      '  load/a/x@node26  × 2',
      '  load/a/y@bun  × 1',
      '',
      'start/10: 1 measurement, about 1 s',
      '  start/10/x@node26  × 1',
      '',
      'memory: 1 measurement, about 9 s',
      '  memory/x@node26  × 1',
      '',
      '5 measurements, about 20 s, without set-up and waiting for a quiet machine',
      '',
    ]);
  });

  it('is not needed for help, which names every option', async () => {
    const { code, output } = await run(['--help']);
    assert.equal(code, 0);
    const source = readFileSync(new URL('../../bench/harness/main.mjs', import.meta.url), 'utf8');
    const names = [...source.matchAll(/^ {2}'?([a-z-]+)'?: \{ type: /gm)].map(([, name]) => `--${name}`);
    assert.ok(names.length > 7, names.join(' '));
    for (const name of names) assert.ok(output.includes(name), name);
  });

  it('measures five rounds of load and twenty starts of each entrant', async () => {
    const { planCells } = await harness('cells');
    const { plans } = await harness('plans');
    const cells: Cell[] = planCells({ plan: plans.full, ...(await everything()) });
    const count = (text: string): number => cells.filter(({ id }) => id.startsWith(text)).length;
    assert.equal(count('load/post-json/express5@node26/'), 5);
    assert.equal(count('start/0/express5@node26/'), 20);
    assert.ok(count('start/5000/express5@node26/') >= 5);
  });

  it('leaves no scenario of a contestant unmentioned', async () => {
    const { scenarios, entrants } = await everything();
    for (const { contestant } of entrants as (Entrant & { contestant: { leftOut: Record<string, string> } })[]) {
      const mentioned = [...contestant.scenarios, ...Object.keys(contestant.leftOut)];
      const missing = [...scenarios.keys()].filter((name) => !mentioned.includes(name));
      assert.deepEqual(missing, [], `${contestant.name}: neither in "scenarios" nor in "leftOut"`);
    }
  });

  it('asks those with a protocol of their own for the same values within it', async () => {
    const { onWire } = await harness('scenarios');
    const { scenarios, entrants } = await everything();
    const contestant = (name: string): unknown => entrants.find((one) => one.contestant.name === name)?.contestant;
    const plain = scenarios.get('update-user-light');
    assert.equal(onWire(contestant('fastify5'), plain), plain);
    const asked = onWire(contestant('trpc'), plain);
    assert.equal(asked.requests[0].body, plain.requests[0].body);
    assert.equal(asked.requests[0].expect.body, `{"result":{"data":${plain.requests[0].expect.body}}}`);
    assert.deepEqual(
      asked.also.map(({ expect }: { expect: { status: unknown } }) => expect.status),
      plain.also.map(() => [400]),
    );
    const [{ body }] = onWire(contestant('fulmar-rpc'), plain).requests;
    assert.deepEqual(JSON.parse(body).params, [JSON.parse(plain.requests[0].body)]);
  });

  it('lists what it would measure without measuring', async () => {
    const { code, output } = await run(['--list', '--only', 'start/0/', '--contestants', 'express5,nodehttp']);
    assert.equal(code, 0);
    assert.match(output, /start\/0\/express5@node26 {2}× 20/);
    assert.doesNotMatch(output, /load\//);
  });

  it('names the contestants there are when one is unknown', async () => {
    const { code, output } = await run(['--list', '--contestants', 'expres5']);
    assert.equal(code, 1);
    assert.match(output, /No contestant expres5\. There are: .*express5/);
  });

  it('names its options when one is unknown', async () => {
    const { code, output } = await run(['--quik']);
    assert.equal(code, 1);
    assert.match(output, /quik[\s\S]*Usage: npm run bench -- \[options\][\s\S]*--quick/);
  });
});

async function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const program = fileURLToPath(new URL('../../bench/harness/main.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Measures the fixtures' contestants as a run does, in a folder of its own; returns what was recorded. */
async function measureFixtures(folder: string): Promise<Row[]> {
  const { loadScenarios } = await harness('scenarios');
  const { loadContestants, entrantsOf } = await harness('contestants');
  const { openContext } = await harness('context');
  const { openResults } = await harness('results');
  const { prepareAll, runCells } = await harness('run');
  const { plans } = await harness('plans');
  const scenarios = loadScenarios();
  const entrants: Entrant[] = entrantsOf(loadContestants([...scenarios.keys()], join(here, 'fixtures', 'contestants')));
  const scenario = scenarios.get('hello-json');
  const cells = entrants
    .filter(({ runtime }) => runtime === own)
    .map((entrant) => ({ id: `load/hello-json/${entrant.id}/0`, kind: 'load', entrant, scenario, variant: { connections: 4 }, round: 0 }));
  const plan = { ...plans.quick, warmS: 0.05, durationS: 0.1 };
  const context = openContext({ plan, say: () => {} });
  const results = openResults(folder);
  try {
    const say = (): void => {};
    const failed = await prepareAll({ cells, results, say });
    await runCells({ cells, results, context, failed, quietLimit: Number.POSITIVE_INFINITY });
    return results.all();
  } finally {
    await context.close();
  }
}

describe('a run', () => {
  it('records the log of contestants that fail, leaves them out, goes on, and is not repeated', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fulmar-harness-'));
    try {
      const rows = await measureFixtures(folder);
      const of = (name: string): Row | undefined => rows.find(({ entrant }) => entrant.startsWith(name));
      // A window of a tenth of a second on a busy machine may well break Little's law, and must then say so:
      // that is no failure.
      assert.match(of('good')?.problem ?? '', /^(Little's law: off by \d+\.\d %)?$/);
      assert.equal(of('good')?.errors?.total, 0);
      assert.ok((of('good')?.verified ?? 0) > 0 && (of('good')?.cpu_us ?? 0) > 0);
      assert.deepEqual([of('wrong')?.kind, of('wrong')?.stage], ['failure', 'verify']);
      assert.match(of('wrong')?.log ?? '', /expected content .*Hello, World!.*found .*Hello, Wörld!/);
      assert.deepEqual([of('silent')?.kind, of('silent')?.stage], ['failure', 'start']);
      assert.match(of('silent')?.log ?? '', /ended with 3 before it answered\n[^]*no database configured/);
      assert.deepEqual([of('broken')?.kind, of('broken')?.stage], ['failure', 'build']);
      assert.match(of('broken')?.log ?? '', /ended with 2\nno such compiler/);

      const before = readFileSync(join(folder, 'records.jsonl'), 'utf8');
      await measureFixtures(folder);
      // Only what failed to build is tried and recorded again; nothing is measured a second time.
      const added = readFileSync(join(folder, 'records.jsonl'), 'utf8').slice(before.length).split('\n').filter(Boolean);
      assert.deepEqual(
        added.map((line) => (JSON.parse(line) as Row).stage),
        ['build'],
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('drops a line that was cut off by a crash and refuses a broken one', async () => {
    const { readRecords } = await harness('results');
    const folder = mkdtempSync(join(tmpdir(), 'fulmar-harness-'));
    try {
      const file = join(folder, 'records.jsonl');
      writeFileSync(file, '{"id":"a"}\n{"id":"b"}\n{"id":"c');
      assert.deepEqual(
        readRecords(folder).map(({ id }: Row) => id),
        ['a', 'b'],
      );
      appendFileSync(file, '\n{"id":"d"}\n');
      assert.throws(() => readRecords(folder), /records\.jsonl, line 3/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves no process behind when it is interrupted', async () => {
    const child = spawn(process.execPath, [join(here, 'fixtures', 'interrupted.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [data] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(data.toString());
    assert.ok(isRunning(pid));
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 130);
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve));
  });
});

function isRunning(pid: number): boolean {
  return readdirSync('/proc').includes(String(pid)) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}

describe('the judgement of a result', () => {
  it('voids faults, unsent requests, partial runs and results against Little’s law', async () => {
    const { problemOf } = await harness('load');
    const good = { errors: { total: 0, reset: 0 }, partial: false, requests: { verified: 9, unsent: 0 }, little: { deviation: 0.01 } };
    assert.equal(problemOf(good), null);
    assert.equal(problemOf({ ...good, errors: { total: 2, wrong_body: 2 } }), 'wrong_body: 2');
    assert.equal(problemOf({ ...good, requests: { verified: 0, unsent: 0 } }), 'no reply');
    assert.equal(problemOf({ ...good, requests: { verified: 9, unsent: 4 } }), 'unsent: 4');
    assert.equal(problemOf({ ...good, partial: true, partial_reason: 'stalled' }), 'partial: stalled');
    assert.match(problemOf({ ...good, little: { deviation: 0.08 } }), /Little's law: off by 8\.0 %/);
  });
});
