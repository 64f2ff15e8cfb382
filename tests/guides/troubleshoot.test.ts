/** docs/guide/troubleshoot.md: what its commands print, and that its tables hold every code there is. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fulmarBin, nodeBinary } from '../e2e/cli/support.ts';
import { readGuide, writeFiles } from './parse.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const guide = readGuide('troubleshoot.md');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-troubleshoot-')));

before(() => {
  writeFiles(guide, folder);
  symlinkSync(join(root, 'tests/node_modules'), join(folder, 'node_modules'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe('docs/guide/troubleshoot.md', () => {
  for (const { command, output, exitCode } of guide.consoles) {
    it(`shows what \`${command}\` prints`, () => {
      const [program, ...args] = command.split(' ');
      assert.equal(program, 'fulmar');
      const { status, stdout, stderr } = spawnSync(nodeBinary, [fulmarBin, ...args], { cwd: folder, encoding: 'utf8' });
      assert.match(stdout + stderr, like(output));
      assert.equal(status, exitCode);
    });
  }

  it('shows several of them', () => assert.ok(guide.consoles.length >= 5));

  it('lists every code of a refused request, and no other', () => {
    const statuses = new Map<string, string>();
    const refusals = readFileSync(join(root, 'crates/http1/src/reject.rs'), 'utf8');
    for (const [, name, status] of refusals.matchAll(/^ {4}(\w+) = (\d+), "/gm)) statuses.set(name!, status!);
    const codes = readFileSync(join(root, 'crates/batch/src/reject_codes.rs'), 'utf8');
    const there = new Set<string>();
    for (const [, names = '', code] of codes.matchAll(/^ {8}((?:Reject::\w+[\s|]*)+) => \{?\s*"(\w+)"/gm)) {
      for (const [, name] of names.matchAll(/Reject::(\w+)/g)) there.add(`${code} ${statuses.get(name!)}`);
    }
    assert.ok(there.size > 15);
    const listed = rowsBelow('code').flatMap(([code, all]) => (all ?? '').split(', ').map((status) => `${code} ${status}`));
    const refused = listed.filter((row) => /^(HPE|ERR_HTTP)_\w+ \d+$/.test(row));
    assert.deepEqual(refused.sort(), [...there].sort());
  });

  it('lists every cause of an aborted message, and no other', () => {
    const source = readFileSync(join(root, 'packages/fulmar/src/exchange/abort-error.ts'), 'utf8');
    const [, words = ''] = /const words[^{]*\{(.*?)\n\};/s.exec(source) ?? [];
    const there = [...words.matchAll(/: '(.*)',/g)].map(([, text]) => text);
    assert.ok(there.length > 5);
    const listed = rowsBelow('cause').flatMap(([causes = '']) => causes.split(', '));
    assert.deepEqual(listed.sort(), there.sort());
  });

  it('has a cause and a remedy for each code of ours', () => {
    const there = new Set<string>();
    for (const file of ['fulmar', 'cli', 'quickjs-node'].flatMap((name) => [...sources(join(root, 'packages', name, 'src'))])) {
      const text = readFileSync(file, 'utf8');
      for (const [, code] of text.matchAll(/'((?:ERR_)?FULMAR_(?:CLI_\w+|ENGINE_UNAVAILABLE|UNSUPPORTED_OPTION|ASYNC_HOOKS))'/g))
        there.add(code!);
    }
    assert.ok(there.size > 20);
    const rows = rowsBelow('code').filter(([code]) => /FULMAR_/.test(code ?? ''));
    assert.deepEqual(rows.map(([code]) => code).sort(), [...there].sort());
    for (const row of rows) assert.ok(row.length === 3 && row.every((cell) => cell !== ''), row.join(' | '));
  });
});

/** The cells of all tables whose first column has this title, without their marks. */
function rowsBelow(title: string): string[][] {
  const tables = guide.text.matchAll(new RegExp(`^\\| ${title} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'gm'));
  return [...tables].flatMap(([, rows = '']) =>
    rows
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|').slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', ''))),
  );
}

/** The whole output, where `…` stands for anything. */
function like(shown: string): RegExp {
  const parts = shown.trimEnd().split('…');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^]*')}\\n?$`);
}

function* sources(path: string): Generator<string> {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* sources(join(path, entry.name));
    else if (entry.name.endsWith('.ts')) yield join(path, entry.name);
  }
}
