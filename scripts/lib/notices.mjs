// The licences of everything that ends up inside what is published: npm packages in the bundle, crates in the addon.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** One text with name, version, licence and licence text of each package folder. */
export function notices(folders) {
  const parts = ['Fulmar contains the following third-party packages.\n'];
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    parts.push(`${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${licenceText(folder)}\n`);
  }
  return parts.join('\n');
}

function licenceText(folder) {
  if (!existsSync(folder)) return '';
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined ? '(the package carries no licence file)' : readFileSync(join(folder, file), 'utf8').trim();
}
