/**
 * Builds the QuickJS host: cargo makes the program, which then compiles the modules of
 * `packages/fulmar/dist/native` and our bundles to bytecode and appends them to itself:
 * `dist/fulmar-native-<platform>-<arch>[-<libc>]`, what `fulmar build --native` starts from. Cargo decides
 * whether the program is stale; a change of TypeScript alone compiles no Rust.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cargoBuild, platformTag, programOf } from './addon.mjs';
import { runtimeModules } from '../../packages/build/quickjs-modules.mjs';
import { capture, distDir, Failure, root } from './run.mjs';
import { unlessUnchanged } from './stamp.mjs';

/** The crate of the program, and the library of functions under it. */
export const nativeCrate = 'fulmar-quickjs';
export const nativeCrates = [nativeCrate, 'fulmar-quickjs-node'];
/** The program, as it is published. */
export const nativeProgram = 'fulmar-native';
/** The profile in `Cargo.toml`; clippy uses it too. */
export const nativeProfile = 'native';

export const nativeFile = () => join(distDir, `${nativeProgram}-${platformTag()}`);

export async function buildNative() {
  const built = await cargoBuild(['-p', nativeCrate, '--bin', nativeProgram], nativeProfile);
  const program = programOf(built, nativeProgram);
  const modules = await runtimeModules();
  const inputs = [program, ...modules.values(), join(root, 'scripts', 'lib', 'quickjs.mjs')];
  return unlessUnchanged({ name: 'native', inputs, outputs: [nativeFile()] }, () => appendModules(program, modules, nativeFile()));
}

/** Has `program` compile `modules` and append them to a copy of itself, `target`. */
export async function appendModules(program, modules, target) {
  const entries = [...modules].map(([name, file]) => ({ name, kind: 'function', file, label: labelOf(name) }));
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-native-'));
  try {
    const manifest = join(folder, 'manifest.json');
    writeFileSync(manifest, JSON.stringify({ role: 'runtime', entries }));
    mkdirSync(dirname(target), { recursive: true });
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}`);
    const { code, output } = await capture(program, ['pack', manifest, temporary]);
    if (code !== 0) throw new Failure(`the native host's modules could not be compiled:\n${output}`);
    // By rename: a running process keeps the old file.
    renameSync(temporary, target);
    return `${entries.length} modules, ${(statSync(target).size / 1e6).toFixed(1)} MB`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What stack traces call a module: Node's by its name, ours by its file. */
function labelOf(name) {
  const known = /^node\/(.*)\.cjs$/.exec(name)?.[1];
  return known === undefined ? `node:internal/${name}` : `node:${known}`;
}
