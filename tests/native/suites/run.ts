/**
 * Runs a test file of this repository, written for Node, in a native child, and registers what came of each
 * of its tests.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { bundle, folder } from '../harness/bundle.ts';
import { LOOKUP, nativeHost, root } from '../harness/host.ts';
import { readChild } from '../harness/lines.ts';

/** Of a test of places whose expression names its file: what runs is the bundle, and places are there. */
const EXPECTS_ITSELF = /did not match the regular expression .*\.test\\+\.ts:/;

const PACKAGES = '\0packages.ts';

const here = (name: string): string => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

/** Tests of a file that fail or cannot run on the QuickJS host: name, or expression for several → reason. */
export type Exceptions = readonly (readonly [name: string | RegExp, reason: string])[];

interface Result {
  readonly index: number;
  readonly name: string;
  /** Null when the test passed. */
  readonly error?: string | null;
  readonly skipped?: true;
}

/** `path` is relative to the repository; `packages` are those that the file loads by name, with `createRequire`. */
export function defineNativeRun(path: string, exceptions: Exceptions = [], packages: readonly string[] = []): void {
  test(`${path} on the native host`, async (t) => {
    const results = await runNatively(join(root, path), packages);
    assert.ok(results.length > 0, 'no test ran');
    const used = new Set<unknown>();
    for (const { name, error, skipped } of results) {
      const exception = exceptions.find(([pattern]) => (typeof pattern === 'string' ? pattern === name : pattern.test(name)));
      used.add(exception);
      const skip = exception === undefined && EXPECTS_ITSELF.test(error ?? '') ? 'expects a place in its own file' : skipped === true;
      await t.test(name, { skip }, () => {
        if (exception === undefined) assert.equal(error, null);
        else assert.notEqual(error, null, `listed as failing (${exception[1]}), and does not`);
      });
    }
    assert.deepEqual(
      exceptions.filter((exception) => !used.has(exception)),
      [],
      'these exceptions name no test',
    );
  });
}

/** The tests before a crash, the one that crashed, and, by another child, those behind it. */
async function runNatively(file: string, packages: readonly string[]): Promise<readonly Result[]> {
  const text = await bundle({
    entry: `import ${JSON.stringify(PACKAGES)};\nimport ${JSON.stringify(file)};\nimport { runTests } from ${here('runner.ts')};\nvoid runTests();`,
    plugins: [standIns(), provided(packages), ownPlaces()],
  });
  const results: Result[] = [];
  for (;;) {
    const path = join(folder(), `${basename(file, '.ts')}.cjs`);
    const told = JSON.stringify({ from: results.length, resolved: {} });
    writeFileSync(path, `Object.defineProperty(globalThis, 'plan', { value: { ...${told}, lookup: ${LOOKUP} } });\n${text}`);
    const ending = await readChild(nativeHost(), path, root, (line) => {
      const said = line as Result & { done?: true };
      if (said.done !== true) results[said.index] = said;
      return said.done === true;
    });
    if (ending.how === 'done') return results;
    const last = results.at(-1);
    if (last === undefined || last.error !== undefined || last.skipped === true) {
      return [...results, { index: results.length, name: 'the file is run to its end', error: ending.detail }];
    }
    results[last.index] = { ...last, error: ending.detail };
  }
}

function standIns(): Plugin {
  return {
    name: 'stand-ins',
    resolveId(id) {
      if (id === 'node:test') return fileURLToPath(new URL('runner.ts', import.meta.url));
      return id === 'node:module' ? fileURLToPath(new URL('../parity/child/packages.ts', import.meta.url)) : null;
    },
  };
}

/** What stands in for `createRequire` is given the packages before the test file is run. */
function provided(names: readonly string[]): Plugin {
  const list = names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`).join(', ');
  const importer = join(root, 'tests', 'package.json');
  return {
    name: 'provided packages',
    resolveId(id, from) {
      if (id === PACKAGES) return id;
      // What the tests install is found from their folder.
      return from === PACKAGES && names.includes(id) ? this.resolve(id, importer, { skipSelf: true }) : null;
    },
    load: (id) => (id === PACKAGES ? `import { provide } from ${here('../parity/child/packages.ts')};\nprovide({ ${list} });\n` : null),
  };
}

/** Modules that read files beside themselves find them where they were before the bundle. */
function ownPlaces(): Plugin {
  return {
    name: 'own places',
    transform(code, id) {
      if (id.startsWith('\0') || !code.includes('import.meta.')) return null;
      const places = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id };
      return code.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name: keyof typeof places) => JSON.stringify(places[name]));
    },
  };
}
