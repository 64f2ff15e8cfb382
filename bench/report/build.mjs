/**
 * Makes the report of one results folder: `node bench/report/build.mjs [results folder] [output folder]`, by
 * default of the newest run that is neither quick nor partial, into bench/reports. Partial runs beside it are
 * shown apart (partial.mjs). Reads raw files, writes latest.md and latest.html; never changes a raw file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { newestFolder } from './data.mjs';
import { toHtml } from './html.mjs';
import { toMarkdown } from './markdown.mjs';
import { readWithPartials } from './partial.mjs';
import { contestantsSection, failuresSection, machineSection, noiseSection, validationSection } from './sections/circumstances.mjs';
import { claimsSection, targetsSection } from './sections/claims.mjs';
import { connectionsSection } from './sections/connections.mjs';
import { costSection } from './sections/cost.mjs';
import { databaseSection } from './sections/database.mjs';
import { latencySection } from './sections/latency.mjs';
import { lossesSection } from './sections/losses.mjs';
import { memorySection } from './sections/memory.mjs';
import { nativeSection } from './sections/native.mjs';
import { runtimesSection } from './sections/runtimes.mjs';
import { scenariosSection } from './sections/scenarios.mjs';
import { sinceSection } from './sections/since.mjs';
import { startSection } from './sections/start.mjs';
import { summarySection } from './sections/summary.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const title = 'Fulmar, measured';

/**
 * In the order of reading: what it comes to, then what is lost, then everything, and last what others claim.
 */
const sections = [
  summarySection,
  lossesSection,
  scenariosSection,
  latencySection,
  startSection,
  memorySection,
  nativeSection,
  connectionsSection,
  databaseSection,
  runtimesSection,
  costSection,
  sinceSection,
  targetsSection,
  noiseSection,
  validationSection,
  machineSection,
  contestantsSection,
  failuresSection,
  claimsSection,
];

/** Writes `latest.md` and `latest.html` into `outFolder`; returns their paths. */
export async function buildReport(folder, outFolder = join(bench, 'reports')) {
  const data = readWithPartials(resolve(folder));
  const blocks = [];
  for (const section of sections) blocks.push(...(await section(data)));
  const lead = leadOf(data);
  const paths = { markdown: join(outFolder, 'latest.md'), html: join(outFolder, 'latest.html') };
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(
    paths.markdown,
    toMarkdown({ title, blocks: [{ type: 'text', content: `${lead} The same with charts: [latest.html](latest.html).` }, ...blocks] }),
  );
  writeFileSync(paths.html, toHtml({ title, lead, blocks }));
  return paths;
}

function leadOf({ run, name }) {
  const { machine = {} } = run;
  const date = String(run.date ?? '').slice(0, 10);
  return `${date}, ${machine.cpu ?? 'unknown processor'}, ${machine.cores ?? '?'} cores, ${machine.kernel ?? ''}. Made by \`bench/report/build.mjs\` from the raw files in \`bench/results/${name}\`; no figure is typed by hand.`;
}

async function main([folder, outFolder]) {
  const chosen = folder ?? newestFolder(join(bench, 'results'));
  if (chosen === undefined) throw new Error('no results folder under bench/results: make one with `npm run bench`, or name one');
  const { markdown, html } = await buildReport(chosen, outFolder);
  const shown = (path) => relative(process.cwd(), path);
  console.log(`${shown(markdown)} and ${shown(html)}, from ${shown(chosen)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
