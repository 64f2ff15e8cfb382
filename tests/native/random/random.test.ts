/**
 * Random programs for `node:crypto`, the Web Cryptography API, `node:tls`, `node:zlib` and `fetch` show on
 * the QuickJS host what they show on Node.
 *   NATIVE_RANDOM=10000        so many of each instead of a few
 *   NATIVE_RANDOM_SEED=5       others than those of every run
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Asked, startAsked } from '../harness/asked.ts';
import { NODE_MAJOR, nativeHost, plainNode } from '../harness/host.ts';
import { KINDS, type Program } from './programs.ts';
import { Random } from './random.ts';

const COUNT = Number(process.env['NATIVE_RANDOM'] ?? 150);
const SEED = Number(process.env['NATIVE_RANDOM_SEED'] ?? 1);
/** Programs that run at the same time in each child. */
const AT_ONCE = 8;
/** Tries to make a program that differs smaller. */
const TRIES_MAX = 200;

const isNewest = Number(process.versions.node.split('.')[0]) === NODE_MAJOR;
const skip = isNewest ? false : `compared with Node ${NODE_MAJOR} only`;

let node: Asked;
let native: Asked;

const shown = async (program: Program): Promise<{ node: unknown; native: unknown }> => {
  const [onNode, onNative] = await Promise.all([node.ask(program), native.ask(program)]);
  return { node: onNode, native: onNative };
};

const differs = async (program: Program): Promise<boolean> => {
  const both = await shown(program);
  return !isDeepStrictEqual(both.node, both.native);
};

/** The smallest program found that still differs. */
async function shrunk(program: Program): Promise<Program> {
  let least = program;
  let tries = 0;
  search: while (tries < TRIES_MAX) {
    for (const less of KINDS[least.kind].smaller(least)) {
      tries += 1;
      if (tries > TRIES_MAX) break search;
      if (await differs(less)) {
        least = less;
        continue search;
      }
    }
    break;
  }
  return least;
}

describe('random programs', { skip }, () => {
  before(async () => {
    const programs = fileURLToPath(new URL('programs.ts', import.meta.url));
    [node, native] = await Promise.all([
      startAsked(plainNode(), programs, 'random-node'),
      startAsked(nativeHost(), programs, 'random-native'),
    ]);
  });
  after(() => {
    node.end();
    native.end();
  });

  for (const [kind, { make }] of Object.entries(KINDS)) {
    test(`of ${kind}, ${COUNT} from seed ${SEED}`, async () => {
      for (let from = 0; from < COUNT; from += AT_ONCE) {
        const programs = Array.from({ length: Math.min(AT_ONCE, COUNT - from) }, (_, index) => make(new Random(SEED * 1e6 + from + index)));
        const found = await Promise.all(programs.map(differs));
        const wrong = programs[found.indexOf(true)];
        // Once more, alone: a busy machine may have cut a reply otherwise.
        if (wrong === undefined || !(await differs(wrong))) continue;
        const least = await shrunk(wrong);
        const both = await shown(least);
        assert.deepEqual(both.native, both.node, JSON.stringify(least));
      }
    });
  }
});
