/**
 * Package managers, each as its users call it, with caches of its own, so that nothing of an earlier run is
 * taken for these packages.
 */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { type Ended, newProject, plainEnv, run, runNode, tool } from './project.ts';

export interface Manager {
  readonly name: string;
  install(folder: string, names: readonly string[], registry: string): Promise<Ended>;
  /** Runs a program of the project, or `node`. */
  exec(folder: string, words: readonly string[]): readonly [command: string, args: readonly string[]];
}

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

export const npm: Manager = {
  name: 'npm',
  // The cache of the user, without which all of Express is fetched for each folder: ours are found by the
  // registry's address.
  install: (folder, names, registry) => run('npm', ['install', ...QUIET, '--registry', registry, ...names], folder),
  exec: (folder, [program = '', ...words]) =>
    program === 'node' ? [program, words] : ['node', [join(folder, 'node_modules/.bin', program), ...words]],
};

export const pnpm: Manager = {
  name: 'pnpm',
  install: (folder, names, registry) => {
    const store = newProject({});
    return runNode(
      [tool('pnpm/bin/pnpm.cjs'), 'add', '--registry', registry, '--store-dir', store, '--cache-dir', store, ...names],
      folder,
    );
  },
  exec: (folder, words) => ['node', [tool('pnpm/bin/pnpm.cjs'), '--dir', folder, 'exec', ...words]],
};

export const yarnClassic: Manager = {
  name: 'yarn 1',
  install: (folder, names, registry) =>
    runNode([tool('yarn/bin/yarn.js'), 'add', '--registry', registry, '--cache-folder', newProject({}), '--no-progress', ...names], folder),
  exec: (_folder, words) => ['node', words[0] === 'node' ? words.slice(1) : [tool('yarn/bin/yarn.js'), '--silent', 'run', ...words]],
};

/** With archives in the place of `node_modules`, which is the other way than that of all others. */
export const yarnPlugAndPlay: Manager = {
  name: 'yarn 4, Plug’n’Play',
  install: (folder, names, registry) => {
    const settings = ['nodeLinker: pnp', `npmRegistryServer: "${registry}"`, 'unsafeHttpWhitelist: ["127.0.0.1"]'];
    writeFileSync(join(folder, '.yarnrc.yml'), [...settings, `globalFolder: "${newProject({})}"`, 'enableTelemetry: false', ''].join('\n'));
    return runNode([tool('@yarnpkg/cli-dist/bin/yarn.js'), 'add', ...names], folder, plainEnv({ YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' }));
  },
  exec: (_folder, words) => ['node', [tool('@yarnpkg/cli-dist/bin/yarn.js'), ...(words[0] === 'node' ? [] : ['run']), ...words]],
};
