/**
 * `npm run setup`: checks the tools and installs what the lockfile names. A second call only compares and is
 * over in milliseconds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { capture, Failure, firstLine, isMain, root, runMain, step } from './lib/run.mjs';
import { unmetPackages } from './lib/lockfile.mjs';

const nodeMinimum = [20, 19];

export async function setup() {
  await step('setup: tools', checkTools);
  await step('setup: npm packages', () => install(root));
}

/** The packages that tests and static checks need beside the workspace's. */
export async function setupTests() {
  // Without its optional packages: those are the runtimes of measured runs, half a gigabyte that no test
  // needs.
  await step('setup: bench packages', () => install(join(root, 'bench'), { optional: false }));
  await step('setup: app packages', () => install(join(root, 'tests', 'apps')));
  // The linter asks for their types.
  await step('setup: Nest applications', () => install(join(root, 'tests', 'nest-apps')));
  await step('setup: tools of guides', () => install(join(root, 'tests', 'guides')));
  await step('setup: build tools', () => install(join(root, 'tests', 'build-tools')));
}

/**
 * Installs `folder`'s lockfile unless what is installed already equals it; without its optional packages when
 * `optional` is false.
 */
export async function install(folder, { optional = true } = {}) {
  const unmet = unmetPackages(folder, { optional });
  if (unmet.length === 0) return 'up to date';
  const fresh = !existsSync(join(folder, 'node_modules'));
  // Not `npm ci`: it empties node_modules under the feet of whatever runs, and refuses a lockfile that was
  // made where the registry offers only some platforms' optional packages. `--no-save` keeps the lockfile's
  // versions and leaves the file alone.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!optional) args.push('--omit=optional');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, output } = await capture(npm, args, { cwd: folder });
  if (code !== 0) throw new Failure(`npm install failed in ${folder}:\n${output}`);
  return fresh ? 'installed' : `updated (${unmet.length} differed)`;
}

function checkTools() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < nodeMinimum[0] || (major === nodeMinimum[0] && minor < nodeMinimum[1])) {
    throw new Failure(`Fulmar needs Node.js ${nodeMinimum.join('.')} or newer; this is ${process.version}.`);
  }
  const wanted = /^rust-version = "([\d.]+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))?.[1] ?? '1.90';
  const rustc = firstLine('rustc', ['--version']);
  if (rustc === undefined) throw new Failure(`No Rust compiler found. Install Rust ${wanted} or newer (rustup.rs), then run this again.`);
  const found = /(\d+)\.(\d+)/.exec(rustc);
  const [needMajor, needMinor] = wanted.split('.').map(Number);
  if (found === null || Number(found[1]) < needMajor || (Number(found[1]) === needMajor && Number(found[2]) < needMinor)) {
    throw new Failure(`Fulmar needs Rust ${wanted} or newer; found "${rustc}". Run \`rustup update\`.`);
  }
  if (firstLine('cc', ['--version']) === undefined) {
    throw new Failure(
      'No C compiler (`cc`) found; Rust needs it to link. Install build-essential (Debian) or the Xcode command line tools.',
    );
  }
  return `node ${process.versions.node}, ${rustc.replace(/ \(.*/, '')}`;
}

if (isMain(import.meta.url)) await runMain(setup);
