// `npm run compare`: builds, installs the pinned peers, then prints the speed table: ours and theirs side by side in one run.
//   --quick          three short rounds instead of five
//   --only <text>    only the rows whose name contains <text>
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { contestants, here, installedRuntimes } from '../bench/compare/lib/contestants.mjs';
import { measureConnections, measureIdle, measureLoad, measureStart } from '../bench/compare/lib/sections.mjs';
import { describeMachine, printContestants, printTable, writeRaw } from '../bench/compare/lib/report.mjs';
import { loadRows, memoryRows, noiseRow, quantile, startRows } from '../bench/compare/lib/rows.mjs';
import { build } from './build.mjs';
import { cargoBuild } from './lib/addon.mjs';
import { Failure, firstLine, root, runMain, step } from './lib/run.mjs';
import { install } from './setup.mjs';

const staticBytes = 10 * 1024;
const plans = {
  full: { count: 5, warmS: 2, durationS: 4, starts: 20, memorySamples: 5 },
  quick: { count: 3, warmS: 1, durationS: 2, starts: 8, memorySamples: 2 },
};

async function main() {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } } });
  checkTools();
  await build();
  await step('setup: peers', () => install(here));
  const floor = await buildFloor();
  const { node, bun } = installedRuntimes();
  if (node === undefined)
    throw new Failure(`No pinned Node for ${process.platform}-${process.arch}: the comparison runs on Linux x64 and arm64.`);
  const staticDir = mkdtempSync(join(tmpdir(), 'fulmar-compare-'));
  try {
    writeFileSync(join(staticDir, '10k.txt'), 'Fulmar. '.repeat(staticBytes / 8));
    const all = contestants({ node, bun, floor, staticDir });
    await compare({
      all,
      node,
      bun,
      plan: values.quick ? plans.quick : plans.full,
      only: values.only,
      suffix: values.quick ? '-quick' : '',
    });
  } finally {
    rmSync(staticDir, { recursive: true, force: true });
  }
}

async function compare({ all, node, bun, plan, only, suffix }) {
  const machine = describeMachine({ node, bun, root });
  const chosen = (rows) => rows.filter((row) => row.name.includes(only));
  const context = { all, node, plan };
  const { results, records } = await measureLoad(context, chosen([...loadRows, noiseRow]));
  const starts = await measureStart(context, chosen(startRows));
  const idle = await measureIdle(context, chosen([memoryRows.idle]));
  const connections = await measureConnections(context, chosen([memoryRows.connection]));
  const table = [...results, ...starts.results, ...idle.results, ...connections.results];
  printContestants(records, (list) =>
    quantile(
      list.toSorted((a, b) => a - b),
      0.5,
    ),
  );
  printTable(table);
  const { cpu, cores, kernel, wrk, commit } = machine;
  console.log(`\n${cpu}, ${cores} cores, ${kernel}; Node ${machine.node}, Bun ${machine.bun}, ${wrk}; commit ${commit}; ${machine.date}`);
  const raw = { plan, table, records, starts: starts.raw, idle: idle.raw, connections: connections.raw };
  console.log(`raw figures: ${writeRaw({ root, machine, suffix, ...raw })}`);
  if (table.some(({ verdict }) => verdict === 'void')) process.exitCode = 1;
}

function checkTools() {
  if (process.platform !== 'linux') throw new Failure('The comparison reads /proc and pins cores: it runs on Linux only.');
  if (availableParallelism() < 2) throw new Failure('The comparison needs two cores: one for the server, one for the load.');
  const missing = ['wrk', 'taskset'].filter((tool) => firstLine('sh', ['-c', `command -v ${tool}`]) === undefined);
  if (missing.length > 0) {
    throw new Failure(`Not installed: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install wrk util-linux`);
  }
}

/** The engine's constant-reply example, or undefined while it does not exist. */
async function buildFloor() {
  let file;
  await step('build: floor', async () => {
    const metadata = firstLine('cargo', ['metadata', '--no-deps', '--format-version', '1']) ?? '{"packages":[]}';
    const engine = JSON.parse(metadata).packages.find((crate) => crate.name === 'fulmar-engine');
    if (!engine?.targets.some((target) => target.name === 'floor')) return 'no such example';
    const artifacts = await cargoBuild(['-p', 'fulmar-engine', '--example', 'floor']);
    file = artifacts.find((artifact) => artifact.target.name === 'floor')?.executable;
    return 'built';
  });
  return file;
}

await runMain(main);
