/**
 * The tables of tested packages in docs/migration: what is installed for the tests, in which version, and the
 * test that uses it. `node --import ./scripts/ts-register.mjs tests/migration/packages.ts` writes them into
 * the pages.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const begin = '<!-- packages:begin -->';
const end = '<!-- packages:end -->';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly name?: string } | undefined>>;
}

interface Row {
  readonly name: string;
  readonly version: string;
  readonly test: string;
}

function readJson<T>(...path: readonly string[]): T {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T;
}

/** Test files of a folder; what one imports by name counts as tested by it, once. */
function fileRows(folder: string, besides: readonly string[]): Row[] {
  const { devDependencies = {} } = readJson<Manifest>('tests/package.json');
  const { packages } = readJson<Lockfile>('package-lock.json');
  const tests = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'));
  return Object.keys(devDependencies).flatMap((name) => {
    const test = tests.find((file) => readFileSync(join(root, folder, file), 'utf8').includes(`'${name}'`));
    const version = packages[`node_modules/${name}`]?.version;
    return test === undefined || version === undefined || besides.includes(name) ? [] : [{ name, version, test: `${folder}/${test}` }];
  });
}

/**
 * The frameworks themselves, which a folder runs as upstream; `koa2` is installed beside `koa` under that
 * name.
 */
function upstreamRows(folder: string, installed: readonly string[]): Row[] {
  const { packages } = readJson<Lockfile>('package-lock.json');
  return installed.flatMap((at) => {
    const found = packages[`node_modules/${at}`];
    return found?.version === undefined ? [] : [{ name: found.name ?? at, version: found.version, test: folder }];
  });
}

/** One folder for each application; its dependencies are what the test runs. */
function appRows(isKoa: boolean): Row[] {
  const folder = 'tests/apps';
  const { packages } = readJson<Lockfile>(folder, 'package-lock.json');
  const apps = readdirSync(join(root, folder)).filter((name) => existsSync(join(root, folder, name, 'package.json')));
  return apps.flatMap((app) => {
    const { dependencies = {} } = readJson<Manifest>(folder, app, 'package.json');
    if (Object.hasOwn(dependencies, 'koa') !== isKoa) return [];
    return Object.keys(dependencies).flatMap((name) => {
      const version = (packages[`${app}/node_modules/${name}`] ?? packages[`node_modules/${name}`])?.version;
      return version === undefined ? [] : [{ name, version, test: `${folder}/${app}` }];
    });
  });
}

const upstreams = ['express', 'express4', 'koa', 'koa2'];

export interface Page {
  readonly file: string;
  /** First letters of the ids of its differences. */
  readonly ids: RegExp;
  /** None where a page has no table of packages. */
  readonly rows?: () => readonly Row[];
}

/** The pages that list differences, and some of them tested packages. */
export const pages: readonly Page[] = [
  {
    file: join(root, 'docs', 'migration', 'from-express.md'),
    ids: /^[SRE]/,
    rows: () => [...fileRows('tests/e2e/middleware', upstreams), ...appRows(false)],
  },
  {
    file: join(root, 'docs', 'migration', 'from-koa.md'),
    ids: /^K/,
    rows: () => [...upstreamRows('tests/parity/koa', ['koa', 'koa2']), ...fileRows('tests/parity/koa', upstreams), ...appRows(true)],
  },
  { file: join(root, 'docs', 'migration', 'from-hono.md'), ids: /^[HN]/ },
  { file: join(root, 'docs', 'migration', 'from-fastify.md'), ids: /^F/ },
  { file: join(root, 'docs', 'migration', 'from-trpc.md'), ids: /^T/ },
  { file: join(root, 'docs', 'migration', 'from-wynkjs.md'), ids: /^W/ },
  { file: join(root, 'docs', 'migration', 'from-zely.md'), ids: /^Z/ },
];

/** The table's lines: a package may stand there once for each version. */
export function packageTable(page: Page): string {
  const found = new Map<string, { version: string; name: string; tests: Set<string> }>();
  for (const { name, version, test } of page.rows?.() ?? []) {
    const key = `${name} ${version}`;
    const row = found.get(key) ?? { name, version, tests: new Set<string>() };
    row.tests.add(test);
    found.set(key, row);
  }
  const rows = [...found.values()].toSorted((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
  const links = (tests: Set<string>): string => [...tests].map((test) => `[${test.split('/').at(-1)}](../../${test})`).join(', ');
  const lines = rows.map(({ name, version, tests }) => `| ${name} | ${version} | ${links(tests)} |`);
  return ['| package | version | tested by |', '|---|---|---|', ...lines].join('\n');
}

/** The table as the page has it. */
export function tableInPage({ file }: Page): string {
  const text = readFileSync(file, 'utf8');
  return text.slice(text.indexOf(begin) + begin.length, text.indexOf(end)).trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const page of pages) {
    if (page.rows === undefined) continue;
    const text = readFileSync(page.file, 'utf8');
    const table = `\n${packageTable(page)}\n`;
    writeFileSync(page.file, text.slice(0, text.indexOf(begin) + begin.length) + table + text.slice(text.indexOf(end)));
    console.log(`written: ${relative(process.cwd(), page.file)}`);
  }
}
