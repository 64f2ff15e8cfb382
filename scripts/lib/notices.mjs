/**
 * The licences of everything that ends up inside what is published: npm packages in the bundle, crates in the
 * addon, the guests, the QuickJS host and the load generator.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { guestCrate, guests } from './guests.mjs';
import { root } from './run.mjs';

/** Our crates whose build is in the published package. */
const shipped = new Set(['fulmar-addon', 'fulmar-load', 'fulmar-quickjs', ...guests.map(guestCrate)]);

/** Folders of the npm packages whose modules are in the rolldown `output`. */
export function bundledPackages(output) {
  const folders = new Set();
  for (const chunk of output) {
    for (const id of chunk.moduleIds ?? []) {
      const match = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id);
      if (match !== null) folders.add(match[1]);
    }
  }
  return [...folders].sort();
}

/**
 * Crates from the registry that are linked into what we ship: `{ name, version, license, folder }`, sorted;
 * empty without cargo.
 */
export function linkedCrates() {
  const { status, stdout } = spawnSync('cargo', ['metadata', '--format-version', '1', '--offline'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) return [];
  const { packages, resolve } = JSON.parse(stdout);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const waiting = packages.filter((crate) => shipped.has(crate.name)).map((crate) => crate.id);
  const linked = new Set();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (linked.has(id)) continue;
    linked.add(id);
    const runTime = nodes.get(id).deps.filter((dependency) => dependency.dep_kinds.some(({ kind }) => kind === null));
    waiting.push(...runTime.map((dependency) => dependency.pkg));
  }
  return packages
    .filter((crate) => linked.has(crate.id) && crate.source !== null)
    .map(({ name, version, license, manifest_path: manifest }) => ({ name, version, license, folder: dirname(manifest) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One text with name, version, licence and licence text of each npm package folder and each crate. */
export function notices(folders, crates) {
  const npm = folders.map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }));
  const parts = ['Fulmar contains the following third-party packages.\n'];
  for (const { name, version, license, folder } of [...npm, ...crates]) {
    parts.push(`${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${licenceText(folder)}\n`);
  }
  return parts.join('\n');
}

/** Sources of others within a package are no deeper: `src/polyfill/once_cell`. */
const VENDORED_LEVELS = 3;

/** That of the package, then those of what it carries along: libraries in C have their own. */
function licenceText(folder) {
  const own = licenceIn(folder) ?? '(the package carries no licence file)';
  return [own, ...vendored(folder, '', VENDORED_LEVELS)].join('\n\n');
}

function* vendored(folder, path, levels) {
  if (levels === 0) return;
  for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules') continue;
    const within = path === '' ? entry.name : `${path}/${entry.name}`;
    const text = licenceIn(join(folder, within));
    if (text !== undefined) yield `${within}:\n\n${text}`;
    yield* vendored(folder, within, levels - 1);
  }
}

/** Of several (MIT or Apache-2.0, BSD or GPL) the MIT one, or the first that is called a licence: the one we take. */
function licenceIn(folder) {
  const files = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying)/i.test(name));
  const file = files.find((name) => /mit/i.test(name)) ?? files.find((name) => /^licen/i.test(name)) ?? files[0];
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').trim();
}
