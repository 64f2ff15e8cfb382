/**
 * A sample of the random programs with our side on the QuickJS host.
 *   PARITY_FROM=n, PARITY_APPS=n   other seeds, as in the suites on Node
 */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { normalise, withoutReplyLoss } from '../../parity/differences.ts';
import * as expressDrive from '../../parity/express/random/drive.ts';
import { EXPRESS_4, EXPRESS_5, generateProgram as generateExpress } from '../../parity/express/random/generate.ts';
import type { Outcome } from '../../parity/harness/case.ts';
import { close, listen } from '../../parity/harness/run.ts';
import { loadSides } from '../../parity/harness/sides.ts';
import * as koaDrive from '../../parity/koa/random/drive.ts';
import { generateProgram as generateKoa } from '../../parity/koa/random/generate.ts';
import * as middlewareDrive from '../../parity/middleware/drive.ts';
import { generateProgram as generateMiddleware } from '../../parity/middleware/generate.ts';
import type { Conversation } from '../harness/conversation.ts';
import { isComparable } from './define.ts';
import { converseWith, lostOutcome } from './remote.ts';
import { bundleSuite } from './suite-bundle.ts';

const COUNT_DEFAULT = 150;
const from = Number(process.env['PARITY_FROM'] ?? 1);
const count = Number(process.env['PARITY_APPS'] ?? COUNT_DEFAULT);
/** One test per so many programs. */
const BATCH = 50;

const KINDS = ['express', 'express4', 'koa', 'middleware'] as const;
type Kind = (typeof KINDS)[number];

const LOADED = ['http-errors', 'koa-bodyparser', 'koa-static', 'koa-mount'];

interface Program {
  readonly pipelined: boolean;
  readonly upstream: (server: Server) => Promise<Outcome>;
}

let conversation: Conversation;
let server: Server;
let alive: NodeJS.Timeout;

async function start(): Promise<void> {
  alive = setInterval(() => undefined, 60_000);
  const path = (name: string): string => JSON.stringify(fileURLToPath(new URL(`child/${name}`, import.meta.url)));
  const entry = [
    `import { provide } from ${path('packages.ts')};`,
    // What the programs load by name.
    `provide({ ${LOADED.map((name) => `'${name}': () => require('${name}')`).join(', ')} });`,
    `const { serveSeeds } = await import(${path('random.ts')});`,
    'await serveSeeds();',
  ];
  const text = await bundleSuite([], entry.join('\n'));
  conversation = converseWith(text, { resolved: {} });
  server = (await loadSides()).upstream.http.createServer();
  await listen(server);
}

async function stop(): Promise<void> {
  clearInterval(alive);
  conversation.close();
  await close(server);
}

// Without tests, Node 20 would wait for what the first hook opens.
if (isComparable) {
  before(start);
  after(stop);
} else {
  test('the native host is compared with its own version of Node', { skip: `this is Node ${process.versions.node}` }, () => undefined);
}

async function programOf(kind: Kind, seed: number): Promise<Program> {
  if (kind === 'koa') {
    const { upstream } = await loadSides();
    const program = generateKoa(seed);
    return { pipelined: program.pipelined === true, upstream: (on) => koaDrive.runProgram(program, upstream, on) };
  }
  if (kind === 'middleware') {
    const program = generateMiddleware(seed);
    const { upstream } = await loadSides(middlewareDrive.flavourOf(program.framework));
    return { pipelined: false, upstream: (on) => middlewareDrive.runProgram(program, upstream, on) };
  }
  const { upstream } = await loadSides(kind);
  const program = generateExpress(seed, kind === 'express4' ? EXPRESS_4 : EXPRESS_5);
  return { pipelined: program.pipelined === true, upstream: (on) => expressDrive.runProgram(program, upstream, on) };
}

/** QuickJS writes a stack's first line when the error is made, V8 when it is first read: Express changes the message in between. */
function withoutDecodingWords(outcome: Outcome): Outcome {
  const text = JSON.stringify(outcome).replaceAll(
    /URIError: (URI malformed|Failed to decode param (&#39;.*?&#39;|'.*?'))/g,
    'URIError: [words]',
  );
  return JSON.parse(text) as Outcome;
}

async function compare(kind: Kind, seed: number): Promise<{ readonly upstream: Outcome; readonly ours: Outcome }> {
  const program = await programOf(kind, seed);
  const [shown, came] = await Promise.all([program.upstream(server), conversation.ask({ kind, seed })]);
  const upstream = withoutDecodingWords(normalise(shown));
  const ours = withoutDecodingWords(normalise('lost' in came ? lostOutcome(came.lost) : (came.answer as Outcome)));
  return { upstream, ours: program.pipelined ? withoutReplyLoss(upstream, ours) : ours };
}

const isEqual = ({ upstream, ours }: { readonly upstream: Outcome; readonly ours: Outcome }): boolean =>
  JSON.stringify(upstream) === JSON.stringify(ours);

for (const kind of isComparable ? KINDS : []) {
  for (let first = from; first < from + count; first += BATCH) {
    const end = Math.min(first + BATCH, from + count);
    test(`${kind}: the random programs of the seeds ${first} to ${end - 1} behave as upstream`, async () => {
      for (let seed = first; seed < end; seed++) {
        let both = await compare(kind, seed);
        // What differs only once is the clock's, as in the suites.
        if (!isEqual(both)) both = await compare(kind, seed);
        if (!isEqual(both))
          assert.deepStrictEqual(
            both.ours,
            both.upstream,
            `${kind}, seed ${seed}: ours (+) differs from upstream (-) ${inspect(both.ours.setup)}`,
          );
      }
    });
  }
}
