/**
 * The binaries as they are published: linked against an old C library, so that they are loaded by every Linux
 * since, and without libgcc_s, which small images lack. `npm run build` makes those of this machine instead,
 * which is faster.
 */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { addonCrate, cargoBuild, libraryOf, platformTag, programOf } from './addon.mjs';
import { beyond, requirementsOf } from './elf.mjs';
import { guestArguments, guestLibraryOf, guestProfile, guests, guestWorkerOf } from './guests.mjs';
import { loadCrate } from './load-generator.mjs';
import { appendModules, nativeCrate, nativeProfile, nativeProgram } from './quickjs.mjs';
import { runtimeModules } from '../../packages/build/quickjs-modules.mjs';
import { Failure, root } from './run.mjs';
import { unlessUnchanged } from './stamp.mjs';
import { zigCargo } from './zig.mjs';

/** The C library of Debian 10, RHEL 8 and Ubuntu 18.10, which is the oldest that Node 20 itself runs with. */
export const glibcFloor = '2.28';
const triples = { x64: 'x86_64-unknown-linux-gnu', arm64: 'aarch64-unknown-linux-gnu' };
const folder = join(root, 'node_modules', '.cache', 'fulmar', 'portable');

/** Is the C library of this platform one whose version must be held down? */
export const hasFloor = () => platformTag().endsWith('-gnu');

/** Paths of the addon, of the guests' libraries by language and of the program that they are isolated in, and of the load generator. */
export async function buildPortable() {
  const addon = libraryOf(await build(['-p', addonCrate, '--lib']));
  const built = await build(guestArguments(), guestProfile);
  const libraries = new Map(guests.map((language) => [language, checked(guestLibraryOf(built, language))]));
  const load = programOf(await build(['-p', loadCrate, '--bin', loadCrate]), loadCrate);
  return { addon: checked(addon), guests: libraries, worker: checked(guestWorkerOf(built)), load: checked(load) };
}

/** Path of the QuickJS host, its modules within. */
export async function buildPortableNative() {
  const program = checked(programOf(await build(['-p', nativeCrate, '--bin', nativeProgram], nativeProfile), nativeProgram));
  const modules = await runtimeModules();
  mkdirSync(folder, { recursive: true });
  const target = join(folder, `${nativeProgram}-${platformTag()}`);
  const inputs = [program, ...modules.values(), join(root, 'scripts', 'lib', 'quickjs.mjs')];
  await unlessUnchanged({ name: 'portable-native', inputs, outputs: [target] }, () => appendModules(program, modules, target));
  return target;
}

/**
 * Zig's compiler and libdeflate know the flag for these instructions by different names; checksums without them take
 * a hundredth of what compressing takes.
 */
const withoutAvx512 = ['AVX512VNNI', 'VPCLMULQDQ'].map((name) => `-DLIBDEFLATE_ASSEMBLER_DOES_NOT_SUPPORT_${name}`);

function build(args, profile = 'release') {
  if (!hasFloor()) return cargoBuild(args, profile);
  const triple = triples[process.arch];
  if (triple === undefined)
    throw new Failure(`packages cannot be made on ${platformTag()} yet; on ${Object.keys(triples).join(' and ')} they can`);
  const { command, env } = zigCargo();
  const maps = anonymous();
  const flags = JSON.stringify(maps.map((map) => `--remap-path-prefix=${map}`));
  const ownFlags = ['--config', `target.${triple}.rustflags=${flags}`];
  const cFlags = [env.CFLAGS ?? '', ...withoutAvx512, ...maps.map((map) => `-ffile-prefix-map=${map}`)].join(' ').trim();
  return cargoBuild(['--target', `${triple}.${glibcFloor}`, ...ownFlags, ...args], profile, { command, env: { ...env, CFLAGS: cFlags } });
}

/** `<folder>=<name>`: whoever packs does not publish where that was. */
function anonymous() {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const registries = join(cargo, 'registry', 'src');
  const sources = existsSync(registries) ? readdirSync(registries).map((name) => `${join(registries, name)}=crates`) : [];
  return [...sources, `${root}=fulmar`];
}

function checked(file) {
  const found = hasFloor() ? beyond(glibcFloor, requirementsOf(file)) : [];
  if (found.length > 0) throw new Failure(`${file} asks for more than glibc ${glibcFloor} has: ${found.join(', ')}`);
  return file;
}
