/**
 * The parts of `fulmar bench` that start nothing: its command line, equal answers, verdicts, tables,
 * listening sockets, routes.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { type Answer, judge } from '../src/bench/answers.ts';
import { type BenchOptions, isAddress, parseBenchArguments } from '../src/bench/arguments.ts';
import { describeDoubt, describeFaults, type LoadResult } from '../src/bench/load.ts';
import { isLost, parseList, shareOfOthers, waitForQuiet } from '../src/bench/machine.ts';
import type { Slot } from '../src/bench/measure.ts';
import { patternsOf, plainPaths } from '../src/bench/probe-result.ts';
import { readProcess, treeOf } from '../src/bench/processes.ts';
import { giveUpWhenLost } from '../src/bench/rounds.ts';
import { repeatCommand } from '../src/bench/repeat.ts';
import { type ColumnRecord, type Report, toReport } from '../src/bench/report.ts';
import { listenersOf, parseListeners, processesOn } from '../src/bench/sockets.ts';
import { compare, median } from '../src/bench/statistics.ts';
import { toText } from '../src/bench/table.ts';
import type { plain } from '../../fulmar/src/launch/terminal/paint.ts';

const defaults: BenchOptions = {
  target: 'app.js',
  args: [],
  paths: [],
  method: 'GET',
  headers: [],
  body: undefined,
  durationS: undefined,
  rounds: 5,
  connections: 64,
  routes: 5,
  starts: 9,
  port: undefined,
  native: false,
  startTimeoutS: 20,
  wait: true,
  json: false,
  allowRemote: false,
};
const onLinux = { skip: process.platform === 'linux' ? false : 'there is no /proc on this system' };

describe('the command line of bench', () => {
  const meanings: [argv: string[], expected: Partial<BenchOptions>][] = [
    [['app.js'], {}],
    [['--json'], { target: '', json: true }],
    [['app.js', '--json', '--path', '/a', '--path=/b?c=1'], { json: true, paths: ['/a', '/b?c=1'] }],
    [['--json', 'app.js', '--', '--json', 'x'], { json: true, args: ['--json', 'x'] }],
    [['app.js', '--body', '-1', '-H', 'Content-Type: text/plain'], { method: 'POST', body: '-1', headers: ['Content-Type: text/plain'] }],
    [['app.js', '--body=', '-X', 'PUT'], { method: 'PUT', body: '' }],
    [['-d', '0.5', '-c', '8', '--rounds', '1', 'app.js'], { durationS: 0.5, connections: 8, rounds: 1 }],
    [['--native', 'app.js'], { native: true }],
    [['--routes=2', '--starts', '0', '--port', '3000', 'app.js'], { routes: 2, starts: 0, port: 3000 }],
    [
      ['--no-wait', '--allow-remote', '--start-timeout', '3', 'http://x/'],
      { target: 'http://x/', wait: false, allowRemote: true, startTimeoutS: 3 },
    ],
  ];
  for (const [argv, expected] of meanings) {
    it(`understands \`${argv.join(' ')}\``, () => assert.deepEqual(parseBenchArguments(argv), { ...defaults, ...expected }));
  }
  const refusals: [argv: string[], code: string, message: RegExp][] = [
    [[''], 'FULMAR_CLI_MISSING_FILE', /the name of the file is empty/],
    [['a.js', 'b.js'], 'FULMAR_CLI_INVALID_VALUE', /one file or address at a time; got "b\.js"/],
    [['--native', 'http://127.0.0.1:1/'], 'FULMAR_CLI_INVALID_VALUE', /--native builds an executable of a file/],
    [['a.js', '--pahts', '/'], 'FULMAR_CLI_UNKNOWN_OPTION', /Did you mean --path\?/],
    [['--max-old-space-size=64', 'a.js'], 'FULMAR_CLI_UNKNOWN_OPTION', /NODE_OPTIONS/],
    [['a.js', '--path'], 'FULMAR_CLI_MISSING_VALUE', /--path needs a path/],
    [['a.js', '--path', 'users'], 'FULMAR_CLI_INVALID_VALUE', /begins with \/ .* got "users"/],
    [['a.js', '--path', '/a b'], 'FULMAR_CLI_INVALID_VALUE', /no spaces/],
    [['a.js', '-H', 'nothing'], 'FULMAR_CLI_INVALID_VALUE', /"name: value"; got "nothing"/],
    [['a.js', '-H', 'a: b\r\nc: d'], 'FULMAR_CLI_INVALID_VALUE', /"name: value"/],
    [['a.js', '-X', 'GET /'], 'FULMAR_CLI_INVALID_VALUE', /needs a method/],
    [['a.js', '-d', '0'], 'FULMAR_CLI_INVALID_VALUE', /from 0\.1 to 3600; got "0"/],
    [['a.js', '-d', 'long'], 'FULMAR_CLI_INVALID_VALUE', /got "long"/],
    [['a.js', '--rounds', '1.5'], 'FULMAR_CLI_INVALID_VALUE', /whole number from 1 to 100; got "1\.5"/],
    [['a.js', '--json=yes'], 'FULMAR_CLI_INVALID_VALUE', /takes no value/],
  ];
  for (const [argv, code, message] of refusals) {
    it(`refuses \`${argv.join(' ')}\``, () => assert.throws(() => parseBenchArguments(argv), { code, message }));
  }
  it('gives help when asked, whatever else is written', () => assert.equal(parseBenchArguments(['--help']), 'help'));
  it('knows an address from a file', () => {
    assert.deepEqual(['http://a/', 'https://a', 'src/a.js', 'C:\\a.js', 'a'].map(isAddress), [true, true, false, false, false]);
  });
  it('writes the command that repeats a run, quoted for a shell', () => {
    const options = { ...defaults, method: 'POST', body: `{"a":"it's"}`, args: ['x y'] };
    const command = repeatCommand(options, { paths: ['/a?b=1&c=2'], durationS: 1.5 });
    assert.equal(
      command,
      `fulmar bench app.js --path '/a?b=1&c=2' --body '{"a":"it'\\''s"}' --connections 64 --duration 1.5 --rounds 5 -- 'x y'`,
    );
    const other = repeatCommand({ ...defaults, starts: 2, wait: false }, { paths: ['/'], durationS: 1 });
    assert.equal(other, 'fulmar bench app.js --path / --connections 64 --duration 1 --rounds 5 --starts 2 --no-wait');
  });
});

describe('equal answers', () => {
  const reply = (text: string, status = 200, type = 'text/plain'): Answer => ({ status, type, body: Buffer.from(text) });
  const question = { method: 'GET', headers: [], body: undefined };
  const judged = (stock: Answer[], fulmar: Answer[], isNamed = false) => judge({ path: '/p', stock, fulmar, isNamed }, question);

  it('expects status and content where all are equal', () => {
    assert.deepEqual(judged([reply('a'), reply('a')], [reply('a')]), { path: '/p', status: 200, body: Buffer.from('a') });
  });
  it('expects the status alone where stock Node differs from itself', () => {
    assert.deepEqual(judged([reply('a'), reply('b')], [reply('c')]), { path: '/p', status: 200, body: undefined });
  });
  it('expects the status alone where requests are generated', () => {
    const found = judge({ path: '/{{id}}', stock: [reply('a'), reply('a')], fulmar: [reply('a')], isNamed: true }, question);
    assert.deepEqual(found, { path: '/{{id}}', status: 200, body: undefined });
  });
  it('compares two replies of Fulmar where there is no stock Node', () => {
    assert.deepEqual(judged([], [reply('a'), reply('b')]), { path: '/p', status: 200, body: undefined });
  });
  const reasons: [title: string, stock: Answer[], fulmar: Answer[], isNamed: boolean, reason: RegExp][] = [
    [
      'another content',
      [reply('same a'), reply('same a')],
      [reply('same b')],
      false,
      /from byte 5 on: "a" under stock Node, "b" under Fulmar/,
    ],
    ['shorter content', [reply('ab'), reply('ab')], [reply('a')], false, /from byte 1 on: "b" under stock Node, "" under Fulmar/],
    ['longer content', [reply('a'), reply('a')], [reply('ab')], false, /from byte 1 on: "" under stock Node, "b" under Fulmar/],
    ['another status', [reply(''), reply('')], [reply('', 204)], true, /status 200 under stock Node, 204 under Fulmar/],
    ['another type', [reply(''), reply('')], [reply('', 200, 'text/html')], true, /Content-Type "text\/plain" .* "text\/html"/],
    ['another status where the content varies', [reply('a'), reply('b')], [reply('c', 500)], true, /status 200/],
    ['no reply on one host', [reply(''), reply('')], ['reset'], true, /no reply under Fulmar: reset/],
    ['no reply on both', ['reset', 'reset'], ['timeout'], true, /no reply: reset/],
    ['a server error', [reply('', 500), reply('', 500)], [reply('', 500)], true, /answers 500/],
    ['a login that a found route asks for', [reply('', 401), reply('', 401)], [reply('', 401)], false, /answers 401; .*--header/],
    ['a status that changes', [reply('', 200), reply('', 404)], [reply('', 200)], true, /changes from request to request: 200, 404/],
  ];
  for (const [title, stock, fulmar, isNamed, reason] of reasons) {
    it(`are not: ${title}`, () => {
      const found = judged(stock, fulmar, isNamed);
      assert.match('reason' in found ? found.reason : 'measured', reason);
    });
  }
  it('may be an error that the user named', () => assert.ok('status' in judged([reply('', 404), reply('', 404)], [reply('', 404)], true)));
});

describe('verdicts', () => {
  it('takes medians', () => assert.deepEqual([median([3, 1, 2]), median([4, 1]), median([])], [2, 2.5, Number.NaN]));
  const cases: [title: string, columns: number[][], better: 'lower' | 'higher', ratio: number | null, verdict: string | null][] = [
    [
      'less where less is good',
      [
        [10, 10],
        [5, 5.1],
      ],
      'lower',
      0.505,
      'better',
    ],
    [
      'less where more is good',
      [
        [10, 10],
        [5, 5.1],
      ],
      'higher',
      0.505,
      'worse',
    ],
    [
      'more where less is good',
      [
        [5, 5],
        [10, 10],
      ],
      'lower',
      2,
      'worse',
    ],
    [
      'rounds that vary more than the hosts',
      [
        [10, 10],
        [8, 12],
      ],
      'lower',
      1,
      'no difference',
    ],
    [
      'equal figures',
      [
        [10, 10],
        [10, 10],
      ],
      'lower',
      1,
      'no difference',
    ],
    [
      'rounds that vary, yet less than a large gain',
      [
        [10, 10, 10],
        [40, 90, 140],
      ],
      'higher',
      9,
      'better',
    ],
    [
      'a drift that meets both',
      [
        [10, 20],
        [5, 10],
      ],
      'lower',
      0.5,
      'better',
    ],
    ['one round', [[10], [5]], 'lower', 0.5, null],
    ['one host', [[10, 11]], 'lower', null, null],
    ['nothing', [[], []], 'lower', null, null],
  ];
  for (const [title, columns, better, ratio, verdict] of cases) {
    it(`${verdict ?? 'none'}: ${title}`, () => {
      const found = compare(columns, better);
      assert.deepEqual([found.ratio, found.verdict], [ratio, verdict]);
    });
  }
});

const goodSlot: Slot = {
  verified: 1_000,
  cpuUs: 50,
  rate: 20_000,
  p50Us: 3_000,
  p99Us: 6_000,
  residentBytes: 60e6,
  fault: undefined,
  doubt: undefined,
  othersShare: 0.01,
  generatorShare: 0.4,
};

function reportOf(stock: Slot[], fulmar: Slot[], { path = '/', native }: { path?: string; native?: readonly Slot[] } = {}): Report {
  const column = (name: string, slots: readonly Slot[]): ColumnRecord => ({
    column: name,
    slots: [slots],
    idleBytes: slots.map(() => 45e6),
    loadedBytes: slots.map((slot) => slot.residentBytes ?? 0),
    coldStartMs: [120, 121],
  });
  const columns = [column('stock', stock), column('Fulmar', fulmar), ...(native === undefined ? [] : [column('native', native)])];
  return toReport(columns, {
    version: '0.1.0',
    target: 'app.js',
    frameworks: ['Express'],
    settings: { method: 'GET', connections: 64, durationS: 1, rounds: stock.length, starts: 2 },
    expectations: [{ path, status: 200, body: Buffer.from('') }],
    leftOut: [{ path: '/private', reason: 'it answers 401' }],
    notes: ['A note.'],
    repeat: 'fulmar bench app.js',
  });
}

describe('a busy machine', () => {
  const sampled = (shares: readonly number[]): { sample: () => Promise<number>; asked: () => number } => {
    let asked = 0;
    const sample = (): Promise<number> => Promise.resolve(shares[Math.min(asked++, shares.length - 1)] ?? 0);
    return { sample, asked: () => asked };
  };
  const noWait = {
    code: 'FULMAR_CLI_BENCH_BUSY',
    message: /^the machine is too busy to measure: other processes used at least \d+ % .*--no-wait\.$/,
  };

  it('is measured all the same without patience, and waited for with it', async () => {
    const hopeless = sampled([0.9]);
    const now = await waitForQuiet(0, () => undefined, hopeless.sample);
    assert.deepEqual([now.isQuiet, now.share, hopeless.asked()], [false, 0.9, 1]);
    const told: number[] = [];
    const later = await waitForQuiet(60_000, (share) => void told.push(share), sampled([0.8, 0.3, 0.05]).sample);
    assert.deepEqual([later.isQuiet, told], [true, [0.8]]);
  });

  it('is given up early when others have most of it all the time', async (context) => {
    const clock = { now: 0 };
    context.mock.method(performance, 'now', () => clock.now);
    const busy = (share: (at: number) => number) => (): Promise<number> => Promise.resolve(share((clock.now += 500)));
    await assert.rejects(
      waitForQuiet(
        15_000,
        () => undefined,
        busy(() => 0.8),
      ),
      noWait,
    );
    assert.ok(clock.now > 5_000 && clock.now < 7_000, `${clock.now} ms`);
    clock.now = 0;
    // A moment in between is hope.
    const waited = await waitForQuiet(
      15_000,
      () => undefined,
      busy((at) => (at === 2_000 ? 0.3 : 0.8)),
    );
    assert.deepEqual([waited.isQuiet, clock.now > 15_000], [false, true]);
  });

  it('is given up when others had most of it in two rounds in a row', () => {
    const row = (...shares: (number | null)[]): Slot[] => shares.map((othersShare) => ({ ...goodSlot, othersShare }));
    assert.throws(() => giveUpWhenLost([row(0.1, 0.7, 0.8), row(0.2, 0.6, 0.9)]), noWait);
    for (const slots of [[row(0.9)], [row(0.7, 0.8), row(0.7, 0.3)], [row(null, null)], [row(0.9, 0.9, 0.1)]]) giveUpWhenLost(slots);
    assert.deepEqual([isLost([]), isLost([0.5]), isLost([0.51]), isLost([0.9, null])], [false, false, true, false]);
  });
});

describe('the report', () => {
  it('compares round by round and shows losses as it shows gains', () => {
    const worse = { ...goodSlot, cpuUs: 100, rate: 10_000 };
    const { routes } = reportOf([goodSlot, goodSlot], [worse, worse]);
    assert.deepEqual([routes[0]?.cpuUs.ratio, routes[0]?.cpuUs.verdict], [2, 'worse']);
    const text = toText(reportOf([goodSlot, goodSlot], [worse, worse]), 80);
    assert.match(text, /CPU µs\/request {6}50\.0 {6}100 {11}2\.00 {2}lower is better\n/);
    assert.match(text, /requests\/s {8}20 000 {3}10 000 {11}0\.50 {2}higher is better\n/);
  });
  it('voids a row with wrong replies in any round', () => {
    const report = reportOf([goodSlot, goodSlot], [goodSlot, { ...goodSlot, fault: '3 × reset' }]);
    assert.equal(report.routes[0]?.void, 'wrong replies under load (Fulmar): 3 × reset');
    assert.deepEqual(report.routes[0]?.rate.values, [null, null]);
    assert.match(toText(report, 80), /GET \/ → 200\n {2}void: wrong replies under load \(Fulmar\): 3 × reset\n/);
  });
  it('leaves out rounds that contradict themselves, and voids a row that has too few others', () => {
    const doubtful = { ...goodSlot, rate: 1, doubt: 'the load ended early' };
    const some = reportOf([goodSlot, doubtful, goodSlot], [goodSlot, goodSlot, goodSlot]);
    assert.deepEqual(some.routes[0]?.rate.values, [20_000, 20_000]);
    assert.ok(some.notes.some((note) => /were left out/.test(note)));
    const most = reportOf([goodSlot, doubtful, doubtful], [goodSlot, goodSlot, goodSlot]);
    assert.match(most.routes[0]?.void ?? '', /2 of 3 rounds do not count: the load ended early/);
  });
  it('says when others used the machine, and when the generator was the limit', () => {
    const { notes } = reportOf([{ ...goodSlot, othersShare: 0.5 }, goodSlot], [{ ...goodSlot, generatorShare: 0.99 }, goodSlot]);
    assert.ok(notes.some((note) => /1 of 4 measurements/.test(note)));
    assert.ok(notes.some((note) => /whole core/.test(note)));
  });
  it('marks the row during which others used the machine, in the page and in the report', () => {
    const busy = { ...goodSlot, othersShare: 0.5 };
    const report = reportOf([busy, goodSlot], [busy, busy]);
    assert.deepEqual([report.routes[0]?.disturbed, report.routes[0]?.measurements], [3, 4]);
    assert.match(toText(report, 80), /\nGET \/ → 200\nbusy: other processes used the machine in 3 of 4 measurements\n/);
    const quiet = reportOf([goodSlot], [{ ...goodSlot, othersShare: null }]);
    assert.deepEqual([quiet.routes[0]?.disturbed, quiet.routes[0]?.measurements], [0, 2]);
    assert.doesNotMatch(toText(quiet, 80), /busy/);
  });
  it('has the same text in colours', () => {
    const worse = { ...goodSlot, cpuUs: 100, rate: 40_000, othersShare: 0.5 };
    const report = reportOf([goodSlot, goodSlot], [worse, worse]);
    const marked = { bold: 'b', dim: 'd', red: 'r', green: 'g', yellow: 'y' } as const;
    const paint = Object.fromEntries(
      Object.entries(marked).map(([name, mark]) => [name, (text: string) => `<${mark}>${text}</>`]),
    ) as unknown as typeof plain;
    const text = toText(report, 80, paint);
    assert.match(text, /<b>GET \/ → 200<\/>\n<y>busy: /);
    assert.match(text, /CPU µs\/request .*<r> +2\.00<\/> {2}lower is better/);
    assert.match(text, /requests\/s .*<g> +2\.00<\/> {2}higher is better/);
    assert.equal(text.replaceAll(/<\/?[a-z]?>/g, ''), toText(report, 80));
  });
  it('compares each host with the first', () => {
    const best = { ...goodSlot, cpuUs: 25, rate: 40_000 };
    const worse = { ...goodSlot, cpuUs: 100, rate: 10_000 };
    const report = reportOf([goodSlot, goodSlot], [best, best], { native: [worse, worse] });
    assert.deepEqual(report.columns, ['stock', 'Fulmar', 'native']);
    assert.deepEqual([report.routes[0]?.cpuUs.ratio, report.routes[0]?.cpuUs.more], [0.5, [{ ratio: 2, spread: 1, verdict: 'worse' }]]);
    const text = toText(report, 80);
    assert.match(text, / Ratios: ÷ stock\./);
    assert.match(text, /\n {15} {4}stock {3}Fulmar {3}native {3}Fulmar ratio {3}native ratio\n/);
    assert.match(text, /CPU µs\/request {6}50\.0 {5}25\.0 {6}100 {11}0\.50 {11}2\.00 {2}lower\n/);
  });
  for (const [width, native] of [120, 80, 66, 55, 40].flatMap((size) => [
    [size, undefined] as const,
    [size, [goodSlot, goodSlot]] as const,
  ])) {
    it(`fits ${width} columns${native === undefined ? '' : ', with three hosts'}`, () => {
      const report = reportOf([goodSlot, goodSlot], [goodSlot, goodSlot], native === undefined ? {} : { native });
      const lines = toText(report, width).split('\n');
      assert.deepEqual(
        lines.filter((line) => line.length > width),
        [],
      );
      for (const word of ['CPU µs/request', 'lower', 'higher', 'no difference', '/private']) {
        assert.ok(
          lines.some((line) => line.includes(word)),
          word,
        );
      }
    });
  }
});

describe('results of the load generator', () => {
  const result: LoadResult = {
    partial: false,
    requests: { answered: 10, verified: 10, unsent: 0 },
    rate: 10,
    status: { 200: 10 },
    errors: { total: 0, reset: 0, wrong_status: 0, before_measurement: 2 },
    latency_us: { p50: 1, p99: 2 },
    little: { deviation: 0.01 },
    cpu: { user_us: 1, system_us: 1, share: 0.1 },
  };
  it('count when replies are right and the figures agree', () => {
    assert.deepEqual([describeFaults(result, 200), describeDoubt(result)], [undefined, undefined]);
  });
  it('do not count when replies were wrong, although the generator ended well', () => {
    const limited = { ...result, status: { 200: 5, 429: 7 }, errors: { total: 8, reset: 1, wrong_status: 7 } };
    assert.equal(describeFaults(limited, 200), '1 × reset, 7 × another status than 200 (429: 7)');
  });
  it('are in doubt when they contradict themselves', () => {
    assert.match(describeDoubt({ ...result, little: { deviation: 0.06 } }) ?? '', /Little/);
    assert.match(describeDoubt({ ...result, partial: true }) ?? '', /early/);
    assert.match(describeDoubt({ ...result, requests: { answered: 0, verified: 0, unsent: 0 } }) ?? '', /no reply/);
    assert.match(describeDoubt({ ...result, requests: { ...result.requests, unsent: 3 } }) ?? '', /3 requests/);
  });
});

describe('the machine', () => {
  it('reads lists of cores', () => assert.deepEqual([parseList('0-2,5'), parseList('7'), parseList('')], [[0, 1, 2, 5], [7], []]));
  it('knows the share of others', () => {
    const moment = (busyUs: number, totalUs: number) => ({ busyUs, totalUs });
    assert.equal(shareOfOthers(moment(0, 0), moment(500, 1_000), 300), 0.2);
    assert.equal(shareOfOthers(moment(0, 0), moment(100, 1_000), 300), 0);
    assert.equal(shareOfOthers(moment(0, 0), moment(0, 0), 0), 0);
  });
  it('reads where processes listen, IPv4 and IPv6', () => {
    const line = (local: string, state: string, inode: number) => `  0: ${local} 00000000:0000 ${state} 0:0 00:0 0 0 0 ${inode} 1 x`;
    const table = [
      'sl local_address',
      line('0100007F:0BB8', '0A', 1),
      line('00000000:0050', '0A', 2),
      line('0100007F:1234', '01', 3),
      line('00000000000000000000000000000000:0BB9', '0A', 4),
      line('00000000000000000000000001000000:0BBA', '0A', 5),
      line('0000000000000000FFFF00000100007F:0BBB', '0A', 6),
    ];
    assert.deepEqual(
      parseListeners(table.join('\n')).map(({ host, port, inode }) => `${host}:${port} ${inode}`),
      ['127.0.0.1:3000 1', '127.0.0.1:80 2', '127.0.0.1:3001 4', '[0:0:0:0:0:0:0:1]:3002 5', '127.0.0.1:3003 6'],
    );
  });
  it('finds the port of a process and the process of a port', onLinux, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    assert.ok(listenersOf([process.pid]).some((listener) => listener.port === port));
    assert.deepEqual(processesOn(port), [process.pid]);
    server.close();
    await once(server, 'close');
    assert.deepEqual(processesOn(port), []);
  });
  it('knows the CPU time of this process and that it belongs to its parent', onLinux, () => {
    assert.ok((readProcess(process.pid)?.cpuTicks ?? 0) > 0);
    assert.ok(treeOf([process.ppid]).some(({ pid }) => pid === process.pid));
    assert.equal(readProcess(2 ** 30), undefined);
  });
});

describe('found routes', () => {
  const route = (method: string, path: string, needsValues = false) => ({ method, path, needsValues });
  const routes = [route('GET', '/a'), route('POST', '/b'), route('GET', '/c/:id', true), route('GET', '/a'), route('HEAD', '/d')];
  it('are measured when they are GET and need no values, each once', () =>
    assert.deepEqual(plainPaths({ frameworks: [], routes }), ['/a']));
  it('are named when they need values', () => assert.deepEqual(patternsOf({ frameworks: [], routes }), ['/c/:id']));
});
