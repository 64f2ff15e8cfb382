/**
 * The report as a reader gets it: a page that needs nothing else, raw texts that stay texts, README's figures
 * equal to their raw files.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { base, load, ours, type Raw, rounds, run, smallRun } from './report-fixture.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const results = join(root, 'bench', 'results');
const data = await load('data.mjs');
const readme = await load('readme.mjs');
const partial = await load('partial.mjs');
const readmeText = readFileSync(join(root, 'README.md'), 'utf8');
const hasVega = existsSync(join(root, 'bench', 'node_modules', 'vega'));

/** A results folder under a temporary one, and where to write; both are removed after `work`. */
async function withFolder(records: Raw[], work: (folder: string, out: string) => unknown): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), 'fulmar-report-'));
  try {
    const folder = join(top, '2026-01-02-m');
    mkdirSync(folder);
    writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
    writeFileSync(join(folder, 'records.jsonl'), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
    await work(folder, join(top, 'reports'));
  } finally {
    rmSync(top, { recursive: true });
  }
}

const failure = { kind: 'failure', entrant: 'zely', scenario: null, stage: 'install', log: '<script>alert(1)</script>\n```\n| a |' };
const skip = hasVega ? false : 'bench/node_modules is not installed (npm ci in bench/)';

test('the page loads nothing, runs nothing and keeps raw texts as texts', { skip }, async () => {
  const { buildReport } = await load('build.mjs');
  await withFolder([...smallRun, failure], async (folder, out) => {
    const { html } = await buildReport(folder, out);
    const page = readFileSync(html, 'utf8');
    assert.match(page, /<svg[^>]+aria-hidden/);
    assert.doesNotMatch(page, /<script|<link|<img|\ssrc=|url\(|@import|<iframe/);
    assert.match(page, /&lt;script&gt;alert\(1\)/);
    assert.match(page, /CPU &lt;x&gt;/);
  });
});

test('the Markdown has the same figures, with cells that stay cells', { skip }, async () => {
  const { buildReport } = await load('build.mjs');
  await withFolder([...smallRun, failure], async (folder, out) => {
    const { markdown } = await buildReport(folder, out);
    const text = readFileSync(markdown, 'utf8');
    assert.match(
      text,
      /\| \*\*Express 5 · Fulmar \(Node 26\)\*\* \| 4\.00 µs \(3\.90 µs – 4\.10 µs\) \|.*\| 0\.40 \(0\.39 – 0\.41\) \| better \|/,
    );
    assert.match(text, /answered by the engine alone, no JavaScript ran; not ranked/);
    assert.match(text, /## Where Fulmar loses/);
    assert.match(text, /````text/);
  });
});

/** Twelve servers ahead of ours in one place. */
const manyAhead = [
  ...smallRun,
  ...Array.from({ length: 12 }, (_, at) => rounds(`peer${String(at).padStart(2, '0')}@bun`, [3, 3, 3, 3, 3])).flat(),
];

test('the page shows three peers of a place, folds the others and leaves none out', { skip }, async () => {
  const { buildReport } = await load('build.mjs');
  await withFolder(manyAhead, async (folder, out) => {
    const page = readFileSync((await buildReport(folder, out)).html, 'utf8');
    const [, row = ''] = /<ul class="ranking"><li>([^]*?)<\/li>/.exec(page.slice(page.indexOf('Other servers ahead'))) ?? [];
    const [shown = '', folded = ''] = row.split('<details>');
    assert.equal(shown.match(/ · Bun /g)?.length, 3);
    assert.match(folded, /<summary>and 10 more<\/summary>/);
    assert.equal(folded.match(/ · Bun /g)?.length, 10);
  });
});

test('on the page the figures behind a chart are folded, and all of a page that is opened stays in it', { skip }, async () => {
  const { buildReport } = await load('build.mjs');
  await withFolder(smallRun, async (folder, out) => {
    const page = readFileSync((await buildReport(folder, out)).html, 'utf8');
    assert.match(page, /<\/figure>\n<details class="folded"><summary>Hello, JSON: all figures[^<]*<\/summary><div class="scroll"/);
    assert.equal(page.match(/<details/g)?.length, page.match(/<\/details>/g)?.length);
  });
});

test('losses come before scenarios, and what other reports claim comes last', { skip }, async () => {
  const { buildReport } = await load('build.mjs');
  await withFolder(smallRun, async (folder, out) => {
    const { markdown } = await buildReport(folder, out);
    const chapters = [...readFileSync(markdown, 'utf8').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    assert.deepEqual(chapters.slice(0, 3), ['In short', 'Where Fulmar loses', 'Scenarios']);
    assert.equal(chapters.at(-1), 'Claims of other reports');
  });
});

const partialRun = {
  ...run,
  date: '2026-01-03T03:04:05.000Z',
  commit: 'later',
  command: 'npm run bench -- --contestants express5 --results /somewhere/else --only load/hello-json',
};
const native = 'express5@fulmar-native';
const nativeRows = [...rounds(native, [20, 20, 20]), ...rounds(base, [10, 10, 10]), ...rounds(ours, [5, 5, 5])];

/** The folder of a whole run with a file of a partial one beside it. */
async function withPartial(work: (folder: string, out: string) => unknown): Promise<void> {
  await withFolder(smallRun, async (folder, out) => {
    const runs = [{ run: partialRun, records: nativeRows }];
    writeFileSync(join(dirname(folder), '2026-01-03-rows.json'), JSON.stringify({ about: 'rows', runs }));
    writeFileSync(join(dirname(folder), '2026-01-03-other.json'), '{"machine":{}}');
    await work(folder, out);
  });
}

test('rows of a partial run are shown with its date and its command, apart from the whole run', { skip }, async () => {
  const { buildReport } = await load('build.mjs');
  await withPartial(async (folder, out) => {
    const text = readFileSync((await buildReport(folder, out)).markdown, 'utf8');
    assert.match(text, /## The native executable\n[^]*partial run of 2026-01-03 \(`bench\/results\/2026-01-03-rows\.json`\)/);
    assert.match(text, /npm run bench -- --contestants express5 --only load\/hello-json/);
    assert.doesNotMatch(text, /somewhere/);
    assert.match(text, /Hello, JSON: CPU per reply \| 2\.00× \| Express 5 · Fulmar \(executable\): 20\.0 µs \|/);
    assert.match(text, /## Measured again since\n[^]*Commit `later`/);
    assert.match(text, /\| \*\*Express 5 · Fulmar \(Node 26\)\*\* \| 4\.00 µs/, 'the row of the whole run is its own');
  });
});

test('an aim that the whole run has no row for takes the newest partial run, and says so', async () => {
  const { targetResult } = await load('sections/claims.mjs');
  await withPartial((folder) => {
    const both = partial.readWithPartials(folder);
    const aim = { metric: 'cpu_us', scenario: 'hello-json', to: base, show: 'ratio', max: 3 };
    const { word, found } = targetResult(both, { ...aim, of: native });
    assert.deepEqual([word, found.written, found.partial], ['met', '2.00', '2026-01-03']);
    const own = targetResult(both, { ...aim, of: ours }).found;
    assert.deepEqual([own.written, own.partial], ['0.40', undefined]);
  });
});

test('the newest whole run is reported, not a partial one after it', async () => {
  await withFolder(smallRun, (folder) => {
    const later = join(dirname(folder), '2026-01-03-m');
    mkdirSync(later);
    writeFileSync(join(later, 'run.json'), JSON.stringify(partialRun));
    writeFileSync(join(later, 'records.jsonl'), nativeRows.map((record) => JSON.stringify(record)).join('\n'));
    assert.equal(data.newestFolder(dirname(folder)), folder);
    assert.equal(partial.readWithPartials(folder).partials.length, 1);
    assert.equal(partial.readWithPartials(later).partials.length, 0, 'an older whole run is no partial one');
  });
});

test('README tells what is slower than plain Node before it names peers', async () => {
  await withPartial((folder) => {
    const block = readme.readmeBlock(partial.readWithPartials(folder));
    assert.match(
      block,
      /### Slower or larger than plain Node\n[^]*executable\) \| Hello, JSON: CPU per reply \| 20\.0 µs \| 10\.0 µs \| 2\.00× \|[^]*### Peers ahead\n[^]*Elysia · Bun 1\.25×/,
    );
    const sentence = readme.fillHeadline('<!-- bench:headline -->\nold\n<!-- bench:headline-end -->', partial.readWithPartials(folder));
    assert.match(sentence, /\n\*\*From the same CPU time, 2\.5 to 2\.5 times as many replies where the framework is the work\.\*\*\n/);
  });
});

test('a last line that a killed run cut off is dropped, any other broken line is an error', async () => {
  await withFolder(smallRun, (folder) => {
    const file = join(folder, 'records.jsonl');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, `${good}{"kind":"lo`);
    assert.equal(data.readFolder(folder).records.length, smallRun.length);
    writeFileSync(file, `{"kind":"lo\n${good}`);
    assert.throws(() => data.readFolder(folder), /records\.jsonl line 1 is not JSON/);
  });
});

test('a folder without raw files is refused by name', () => {
  assert.throws(() => data.readFolder(tmpdir()), /is no results folder: it has no run\.json/);
});

test('README is filled between its markers and nowhere else', () => {
  const small = data.createData({ run, records: smallRun, name: '2026-01-02-m' });
  const before = 'a\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nb\n';
  const filled = readme.fillReadme(before, small);
  assert.match(filled, /^a\n<!-- bench:begin bench\/results\/2026-01-02-m -->\n[^]+\*\*2\.50×\*\*[^]+\n<!-- bench:end -->\nb\n$/);
  assert.equal(readme.namedFolder(filled), 'bench/results/2026-01-02-m');
  assert.equal(readme.fillReadme(filled, small), filled);
  assert.throws(() => readme.fillReadme('nothing', small), /no <!-- bench:begin -->/);
});

const named = readme.namedFolder(readmeText);
const newest = data.newestFolder(results);
const unmeasured =
  named === null && (newest === undefined || JSON.parse(readFileSync(join(newest, 'run.json'), 'utf8')).finished === undefined);

test('README says what its raw files say', { skip: unmeasured ? 'no finished run under bench/results yet' : false }, () => {
  assert.equal(typeof named, 'string', 'README.md names no raw folder: run `npm run bench:readme`');
  const figures = partial.readWithPartials(join(root, named));
  const told = 'and its raw files disagree: run `npm run bench:readme`';
  assert.equal(readmeText, readme.fillReadme(readmeText, figures), `README.md ${told}`);
  const ofPackage = readFileSync(join(root, 'packages', 'fulmar', 'README.md'), 'utf8');
  assert.match(ofPackage, /bench:headline -->\n\*\*From the same CPU time/);
  assert.equal(ofPackage, readme.fillHeadline(ofPackage, figures), `packages/fulmar/README.md ${told}`);
});
