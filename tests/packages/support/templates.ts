/**
 * Projects as `fulmar new` makes them, below one folder that has the packages of all of them: what they need
 * is installed once. Fulmar is as it is published.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './managers.ts';
import { type Packed, root } from './packed.ts';
import { type Ended, fulmar, must, newProject, run } from './project.ts';
import { type Registry, startRegistry } from './registry.ts';

const folder = join(root, 'packages/fulmar/templates/projects');

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export const manifestOf = (template: string): Manifest =>
  JSON.parse(readFileSync(join(folder, template, 'package.json'), 'utf8')) as Manifest;

/** The registry that has all our packages, those too that few tests need. */
export function startWholeRegistry(packages: Packed): Promise<Registry> {
  const more: [string, string][] = [
    ['fulmar-compiler', packages.compiler],
    ['create-fulmar', packages.create],
  ];
  return startRegistry({ ...packages, tarballs: new Map([...packages.tarballs, ...more]) });
}

/** A folder with the packages of all templates. */
export async function installAll(registry: Registry): Promise<string> {
  const manifests = readdirSync(folder).map(manifestOf);
  const dependencies = Object.assign({}, ...manifests.flatMap((one) => [one.dependencies, one.devDependencies])) as Record<string, string>;
  const base = newProject({ 'package.json': { private: true, dependencies } });
  await must(npm.install(base, [], registry.url));
  return base;
}

/** A project in that folder, which finds the packages above it. Returns its folder. */
export async function makeProject(base: string, name: string, ...words: string[]): Promise<string> {
  await must(fulmar(base, ['new', name, '--no-install', '--no-git', ...words]));
  return join(base, name);
}

/** `npm run <script>`, as a user of the project types it. */
export const runScript = (project: string, script: string): Promise<Ended> => run('npm', ['run', '--silent', script], project);
