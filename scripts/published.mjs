/**
 * `npm run published`: each published server on stock Node and on Fulmar, its replies compared, as a table.
 *   npm run published -- [name…]        only servers whose name contains one of these texts
 *     --node 20|26|<path>               on this Node alone; otherwise on the one that runs this and on the pinned newest one
 *     --by fulmar|register              how Fulmar runs it: `fulmar run` unless told, or `node --import fulmar/register`
 *     --show                            prints each difference
 * Exit code 1 when one differs. Packages are installed on demand, into folders that git ignores. Not part of
 * `npm test`, but for its sample.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startDatabase } from '../bench/database/database.mjs';
import { psql } from '../bench/database/psql.mjs';
import { buildUnlessBuilt } from '../tests/published/support/build.ts';
import { countReplies, differences } from '../tests/published/support/compare.ts';
import { findServers, folderOf, play, versionOf } from '../tests/published/support/play.ts';
import { Failure, root, runMain } from './lib/run.mjs';
import { installRuntimes, pinnedNode } from './lib/runtimes.mjs';
import { install } from './setup.mjs';

const columns = ['server', 'version', 'node', 'result', 'replies', 'start ms', 'idle MiB', 'used MiB'];
const widths = [20, 10, 9, 14, 7, 14, 12, 12];

const row = (cells) =>
  console.log(
    cells
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd(),
  );
const pair = (stock, ours) => `${stock.toFixed(0)} → ${ours.toFixed(0)}`;

async function main() {
  const options = { node: { type: 'string' }, by: { type: 'string', default: 'fulmar' }, show: { type: 'boolean', default: false } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  if (!['fulmar', 'register'].includes(values.by)) throw new Failure(`--by is fulmar or register, not ${values.by}`);
  const nodes = await chooseNodes(values.node);
  row(columns);
  for (const server of await findServers()) {
    if (positionals.length > 0 && !positionals.some((text) => server.name.includes(text))) continue;
    for (const node of nodes.filter(({ version }) => Number.parseInt(version.slice(1), 10) >= (server.nodeMin ?? 20))) {
      if (!(await compare(server, node, values))) process.exitCode = 1;
    }
  }
}

async function chooseNodes(chosen) {
  const runtimes = join(root, 'tests', 'runtimes');
  await installRuntimes(runtimes);
  const newest = pinnedNode(runtimes);
  const isPath = chosen !== undefined && existsSync(chosen);
  const paths = isPath ? [chosen] : [process.execPath, ...(newest === undefined ? [] : [newest])];
  const all = paths.map((path) => ({ path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }));
  return all.filter(({ version }) => chosen === undefined || isPath || version.startsWith(`v${chosen}.`));
}

/** Prints the row of one server on one Node; true when it ran and nothing differs. */
async function compare(server, node, { by, show }) {
  try {
    await prepare(server, node);
    const stock = await playSide(server, 'node', node);
    if (stock.failure !== undefined) throw new Error(`its conversation fails under node: ${stock.failure}\n${stock.printed}`);
    const ours = await playSide(server, by, node);
    const { found, unsteady } = await steadyDifferences(server, node, { stock, ours });
    const lacks = ours.engine === false ? ', no engine' : '';
    const result = `${found.length === 0 ? 'same' : `${found.length} differ`}${unsteady.length > 0 ? ` (~${unsteady.length})` : ''}${lacks}`;
    const numbers = [pair(stock.startMs, ours.startMs), pair(stock.idleMiB, ours.idleMiB), pair(stock.usedMiB, ours.usedMiB)];
    row([server.name, versionOf(server), node.version, result, String(countReplies(stock.steps)), ...numbers]);
    if (show) for (const { text } of found) console.log(`\n${text}\n`);
    if (show) for (const { text } of unsteady) console.log(`\n(~) ${text}\n`);
    return found.length === 0 && lacks === '';
  } catch (error) {
    row([server.name, '', node.version, 'not run']);
    console.log(error instanceof Error ? error.message : error);
    return false;
  }
}

/** What a server does not do twice in the same way under node either is counted, and is no difference. */
async function steadyDifferences(server, node, { stock, ours }) {
  const all = differences(stock, ours);
  if (all.length === 0) return { found: [], unsteady: [] };
  const again = differences(stock, await playSide(server, 'node', node));
  const keys = new Set(again.map(({ key }) => key));
  const [found, unsteady] = [all.filter(({ key }) => !keys.has(key)), all.filter(({ key }) => keys.has(key))];
  return { found, unsteady };
}

async function prepare(server, node) {
  await install(folderOf(server));
  buildUnlessBuilt(server, node.path);
}

let cluster;

async function playSide(server, runner, node) {
  const database = server.needsDatabase === true ? await emptyDatabase() : '';
  return play(server, { runner, node: node.path, database, isThorough: true });
}

/** The same database, empty, for each run. */
async function emptyDatabase() {
  cluster ??= await startDatabase();
  await psql(cluster.url, { sql: 'DROP DATABASE IF EXISTS guest WITH (FORCE)' });
  await psql(cluster.url, { sql: 'CREATE DATABASE guest' });
  return cluster.url.replace(/postgres$/, 'guest');
}

await runMain(main);
await cluster?.stop();
// Clients are loaded into this process, and some go on trying to reach their server.
process.exit();
