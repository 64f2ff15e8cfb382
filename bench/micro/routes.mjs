/**
 * What routes cost at the start: CPU time of processes that register 10 and 5,000, the second less the first.
 *   node bench/micro/routes.mjs [--node <program>] [--against <dist folder>] [--rounds <n>]
 * Each is a process of its own, interleaved; medians. `plain` are routes with a handler alone, `typed` have a type that
 * fulmar-compiler made a schema of, `schema` a JSON Schema each.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const ownDist = fileURLToPath(new URL('../../packages/fulmar/dist', import.meta.url));
const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    against: { type: 'string' },
    rounds: { type: 'string', default: '15' },
  },
});
const COUNTS = [10, 5000];
const KINDS = ['plain', 'typed', 'schema'];

const program = `
const [dist, kind, count, types] = process.argv.slice(1);
const { createApp } = require(dist + '/app.cjs');
const app = createApp();
let typed;
if (kind === 'typed') {
  const module = { exports: {} };
  const load = (name) => require(dist + '/' + name.replace('fulmar/', '') + '.cjs');
  require('node:vm').runInThisContext(require('node:fs').readFileSync(types, 'utf8'))(module.exports, load);
  typed = module.exports.user;
}
for (let at = 0; at < Number(count); at += 1) {
  const path = '/route' + at + '/:name';
  const run = (c) => ({ at, name: c.params.name });
  if (kind === 'plain') app.post(path, run);
  else if (kind === 'typed') app.post(path, { body: typed }, run);
  else app.post(path, { body: { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } } }, run);
}
const { user, system } = process.cpuUsage();
console.log((user + system) / 1000);
`;

/** Writes the type as a function `(exports, require)`: in an application it comes from the cache of compiled sources. */
function writeTypes(file) {
  const require = createRequire(import.meta.url);
  const source = fileURLToPath(new URL('rpc-api.ts', import.meta.url));
  const { code } = require('fulmar-compiler').compile(source, readFileSync(source, 'utf8'), null);
  const ts = createRequire(require.resolve('fulmar-compiler'))('typescript');
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  writeFileSync(file, `(function (exports, require) { ${ts.transpileModule(code, { compilerOptions }).outputText}\n})`);
}

function measure(types, { dist, kind, count }) {
  const { stdout, stderr, status } = spawnSync(values.node, ['-e', program, dist, kind, String(count), types], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${kind}, ${count} routes of ${dist}: ${stderr}`);
  return Number(stdout);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const sides = values.against === undefined ? [ownDist] : [ownDist, values.against];
const cells = KINDS.flatMap((kind) => sides.flatMap((dist) => COUNTS.map((count) => ({ kind, dist, count, all: [] }))));
const folder = mkdtempSync(join(tmpdir(), 'fulmar-routes-'));
try {
  const types = join(folder, 'types.js');
  writeTypes(types);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const cell of round % 2 === 0 ? cells : cells.toReversed()) cell.all.push(measure(types, cell));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (let at = 0; at < cells.length; at += COUNTS.length) {
  const [few, many] = cells.slice(at, at + COUNTS.length);
  const [a, b] = [median(few.all), median(many.all)];
  const side = few.dist === ownDist ? 'ours' : 'against';
  const times = `${few.count}: ${a.toFixed(1)} ms, ${many.count}: ${b.toFixed(1)} ms, +${(b - a).toFixed(1)} ms`;
  console.log(`${few.kind.padEnd(6)} ${side.padEnd(8)} ${times}`);
}
