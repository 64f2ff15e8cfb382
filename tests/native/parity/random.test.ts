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
import type { Outcome } from '../../parity/harness/case.ts';
import { close, listen } from '../../parity/harness/run.ts';
import { loadSides } from '../../parity/harness/sides.ts';
import type { Conversation } from '../harness/conversation.ts';
import { isComparable } from './define.ts';
import { type Kind, KINDS, programOf } from './random-programs.ts';
import { converseWith, lostOutcome } from './remote.ts';
import { bundleSuite } from './suite-bundle.ts';

const COUNT_DEFAULT = 150;
const from = Number(process.env['PARITY_FROM'] ?? 1);
const count = Number(process.env['PARITY_APPS'] ?? COUNT_DEFAULT);
/** One test per so many programs. */
const BATCH = 50;

const LOADED = ['http-errors', 'koa-bodyparser', 'koa-static', 'koa-mount'];

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

/**
 * QuickJS writes a stack's first line when the error is made, V8 when it is first read: Express changes the
 * message in between.
 */
function withoutDecodingWords(outcome: Outcome): Outcome {
  const text = JSON.stringify(outcome).replaceAll(
    /URIError: (URI malformed|Failed to decode param (&#39;.*?&#39;|'.*?'))/g,
    'URIError: [words]',
  );
  return JSON.parse(text) as Outcome;
}

async function compare(kind: Kind, seed: number): Promise<{ readonly upstream: Outcome; readonly ours: Outcome }> {
  const program = programOf({ kind, seed });
  const { upstream: side } = await loadSides(program.flavour);
  const [shown, came] = await Promise.all([program.run({ side, server }), conversation.ask({ kind, seed })]);
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
