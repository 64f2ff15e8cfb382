// Every function of the QuickJS host that takes bytes, given everything that plain JavaScript can make of a
// view: it reads and writes the view's own bytes or none. The functions are called as the runtime's own
// modules call them, by a module that gives them away.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundle, folder } from '../harness/bundle.ts';
import { type Command, LOOKUP, nativeHost, root } from '../harness/host.ts';
import { readChild } from '../harness/lines.ts';
import { bytesArguments } from './signatures.ts';

interface Line {
  readonly names?: readonly string[];
  readonly ownArrays?: readonly string[];
  readonly begun?: string;
  readonly name?: string;
  readonly wrong?: readonly string[];
  readonly count?: number;
  readonly done?: true;
}

interface Report {
  readonly names: readonly string[];
  readonly ownArrays: readonly string[];
  readonly results: readonly Required<Pick<Line, 'name' | 'wrong' | 'count'>>[];
}

/** The host with one module more: `ops-under-test`. */
function opened(): Command {
  const host = nativeHost();
  const modules = mkdtempSync(join(tmpdir(), 'fulmar-ops-'));
  process.once('exit', () => rmSync(modules, { recursive: true, force: true }));
  const before = host.env['FULMAR_NATIVE_MODULES'];
  if (before !== undefined) cpSync(before, modules, { recursive: true });
  mkdirSync(join(modules, 'node'), { recursive: true });
  writeFileSync(join(modules, 'node', 'ops-under-test.cjs'), "module.exports = require('fulmar:ops');");
  return { ...host, env: { ...host.env, FULMAR_NATIVE_MODULES: modules } };
}

/** All results: behind a case that ends its process, another one goes on. */
async function report(): Promise<Report> {
  const program = fileURLToPath(new URL('program.ts', import.meta.url));
  const text = await bundle({ entry: `import ${JSON.stringify(program)};` });
  const host = opened();
  const path = join(folder(), 'views.cjs');
  const results: Report['results'][number][] = [];
  let first: Line = {};
  for (;;) {
    let begun: string | undefined;
    writeFileSync(path, `Object.defineProperty(globalThis, 'plan', { value: { lookup: ${LOOKUP}, folder: ${JSON.stringify(folder())}, from: ${results.length} } });\n${text}`);
    const ending = await readChild(host, path, root, (line) => {
      const said = line as Line;
      if (said.names !== undefined) first = said;
      if (said.begun !== undefined) begun = said.begun;
      if (said.name !== undefined) results.push(said as Report['results'][number]);
      return said.done === true;
    });
    if (ending.how === 'done') break;
    results.push({ name: begun ?? 'the start', wrong: [`the process ${ending.detail}`], count: 1 });
    if (begun === undefined) break;
  }
  return { names: first.names ?? [], ownArrays: first.ownArrays ?? [], results };
}

const skip = process.env['FULMAR_NATIVE'] === 'node' ? 'Node has none of these functions' : false;

describe('views given to the native host', { skip }, async () => {
  if (skip !== false) return;
  const { names, ownArrays, results } = await report();

  test('there is a case for every argument that takes bytes', () => {
    const covered = [...names.filter((name) => !name.startsWith('this ')), ...ownArrays].sort();
    assert.deepEqual(covered, [...bytesArguments()]);
  });

  for (const { name, wrong, count } of results) {
    test(name, () => {
      assert.ok(count > 0, 'nothing was tried');
      assert.deepEqual(wrong, []);
    });
  }
});
