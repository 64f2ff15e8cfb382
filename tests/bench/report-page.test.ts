/** The report as a reader gets it: a page that needs nothing else, raw texts that stay texts, README's figures equal to their raw files. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load, type Raw, run, smallRun } from './report-fixture.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const results = join(root, 'bench', 'results');
const data = await load('data.mjs');
const readme = await load('readme.mjs');
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
  const wanted = readme.fillReadme(readmeText, data.readFolder(join(root, named)));
  assert.equal(readmeText, wanted, 'README.md and its raw files disagree: run `npm run bench:readme`');
});
