/**
 * Bundles the files of a suite for the child: the harness has its stand-ins there, and packages that files
 * load by name come along.
 */
import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';
import { ENCODINGS } from '../../parity/express4/encodings.ts';
import { GETTERS, NAMES } from '../../parity/http/support/borrowed-names.ts';
import { bundle } from '../harness/bundle.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const parity = (name: string): string => here(`../../parity/${name}`);

/** Files of the harness that the child has in another form. */
const STAND_INS: Readonly<Record<string, string>> = {
  [parity('harness/sides.ts')]: here('child/sides.ts'),
  [parity('harness/suite.ts')]: here('child/suite.ts'),
  [parity('koa/sides.ts')]: here('child/koa-sides.ts'),
};

/** Never written: what `packages` makes. Its place is where packages are looked up. */
const PACKAGES = here('packages.js');
const PACKAGE = /\b(?:load|factory|require)(?:<[\s\S]{0,400}?>)?\(\s*'([^']+)'\s*\)/g;
const ENGINE = /'(ejs|pug)'/g;
const RESOLVED = /createRequire\(import\.meta\.url\)\.resolve\('([^']+)'\)/g;

/** `last` is the text of what is done when all files have been run. */
export function bundleSuite(files: readonly string[], last: string): Promise<string> {
  const entry = [`import ${JSON.stringify(PACKAGES)};`, ...files.map((file) => `import ${JSON.stringify(file)};`), last];
  return bundle({ entry: entry.join('\n'), plugins: [standIns(), packages(files), lists()] });
}

/** Serves the cases of `files`. */
export function bundleCases(files: readonly string[]): Promise<string> {
  return bundleSuite(files, `import { serveCases } from ${JSON.stringify(here('child/suite.ts'))};\nserveCases();`);
}

/** Paths of the packages' files that suites ask for. */
export function resolvedIn(files: readonly string[]): Readonly<Record<string, string>> {
  const found = files.flatMap((file) => {
    const names = [...readFileSync(file, 'utf8').matchAll(RESOLVED)].map((match) => match[1] ?? '');
    return names.map((name) => [name, createRequire(file).resolve(name)] as const);
  });
  return Object.fromEntries(found);
}

/** Names of packages in calls that load them, and of the view engines that Express loads. */
function packagesIn(text: string): readonly string[] {
  const names = [PACKAGE, ENGINE].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
  return [...new Set(names)].filter((name) => !isBuiltin(name) && isPackage(name));
}

function isPackage(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch {
    return false; // A word in a text that looks like code.
  }
}

function standIns(): Plugin {
  return {
    name: 'stand-ins',
    async resolveId(id, importer) {
      if (id === 'node:module' && importer?.includes('/tests/parity/') === true) return here('child/packages.ts');
      if (!id.startsWith('.') || importer === undefined) return null;
      const found = await this.resolve(id, importer, { skipSelf: true });
      return found === null ? null : (STAND_INS[found.id] ?? null);
    },
  };
}

/** Packages that files of the suite load by name, for the stand-in of `createRequire`. */
function packages(files: readonly string[]): Plugin {
  const names = packagesIn(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  const list = names.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`).join(', ');
  const text = `import { provide } from ${JSON.stringify(here('child/packages.ts'))};\nprovide({ ${list} });\n`;
  return {
    name: 'packages',
    resolveId: (id) => (id === PACKAGES ? id : null),
    load: (id) => (id === PACKAGES ? text : null),
  };
}

/** Lists that need files of packages, or the Node that the host is compared with: made here. */
function lists(): Plugin {
  const texts: Readonly<Record<string, string>> = {
    [parity('express4/encodings.ts')]: `export const ENCODINGS = ${JSON.stringify(ENCODINGS)};`,
    [parity('http/support/borrowed-names.ts')]: `export const NAMES = ${JSON.stringify(NAMES)}, GETTERS = ${JSON.stringify(GETTERS)};`,
  };
  return { name: 'lists', load: (id) => texts[id] ?? null };
}
