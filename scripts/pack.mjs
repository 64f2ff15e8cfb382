/**
 * `npm run pack`: the packages as they are published, three tarballs for this platform and
 * two for all (`fulmar-compiler`, `create-fulmar`), in `dist-packages`.
 *   npm run pack -- --out <folder>      puts them there
 * The binaries in them are linked against glibc 2.28 with Zig, which the first call installs into the cache
 * folder.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { platformTag } from './lib/addon.mjs';
import { guestFile, workerFile } from './lib/guests.mjs';
import {
  compilerDir,
  compilerManifest,
  createDir,
  createManifest,
  engineManifest,
  mainManifest,
  nativeManifest,
} from './lib/platform-packages.mjs';
import { buildPortable, buildPortableNative, hasFloor } from './lib/portable.mjs';
import { capture, distDir, Failure, isMain, packageDir, root, runMain, step } from './lib/run.mjs';
import { installZig } from './lib/zig.mjs';

/** What `dist` holds for this machine alone, or for the QuickJS host, which has it within. */
const leftOut = /^(?:native(?:-dev)?|\..*|.*\.tmp|.*\.node|fulmar-(?:native|load|guest)-.*)$/;
const EXECUTABLE = 0o755;

/** Makes the tarballs in `out` and returns their paths: of `fulmar`, the engine, the QuickJS host, the compiler of types, `create-fulmar`. */
export async function pack(out) {
  makeFolder(out);
  await build({ native: false });
  if (hasFloor()) await step('pack: zig', installZig);
  let binaries;
  let native;
  await step('pack: addon, guests, load generator', async () => void (binaries = await buildPortable()));
  await step('pack: native host', async () => void (native = await buildPortableNative()));
  const stage = mkdtempSync(join(tmpdir(), 'fulmar-pack-'));
  try {
    const folders = [
      stageMain(stage),
      stageEngine(stage, binaries),
      stageNative(stage, { native, load: binaries.load }),
      stageCompiler(stage),
      stageCreate(stage),
    ];
    const tarballs = [];
    await step('pack: tarballs', async () => {
      for (const folder of folders) tarballs.push(await packFolder(folder, out));
      return tarballs.map((file) => `${basename(file)} ${(statSync(file).size / 1e6).toFixed(1)} MB`).join(', ');
    });
    return tarballs;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function makeFolder(out) {
  try {
    mkdirSync(out, { recursive: true });
  } catch (error) {
    throw new Failure(`cannot write the packages into ${out}: ${error.message}. Name another folder: npm run pack -- --out <folder>`);
  }
}

function stageMain(stage) {
  const folder = newFolder(stage, 'main', mainManifest(platformTag()));
  for (const name of ['bin', 'templates', 'types']) cpSync(join(packageDir, name), join(folder, name), { recursive: true });
  for (const name of ['README.md', 'LICENSE']) copyFileSync(join(packageDir, name), join(folder, name));
  mkdirSync(join(folder, 'dist'));
  // Folders, too: the declarations of the typed app are one.
  for (const name of readdirSync(distDir)) {
    if (!leftOut.test(name)) cpSync(join(distDir, name), join(folder, 'dist', name), { recursive: true });
  }
  return folder;
}

function stageEngine(stage, { addon, guests, worker }) {
  const file = join(stage, `fulmar.${platformTag()}.node`);
  copyFileSync(addon, file);
  const files = [file];
  for (const [language, library] of guests) {
    files.push(join(stage, guestFile(language)));
    copyFileSync(library, files.at(-1));
  }
  files.push(join(stage, workerFile()));
  copyFileSync(worker, files.at(-1));
  chmodSync(files.at(-1), EXECUTABLE);
  return stagePlatform(stage, engineManifest(platformTag(), files), files);
}

function stageNative(stage, { native, load }) {
  const files = [native, load].map((file) => {
    const program = join(stage, file === native ? basename(native) : `${basename(load)}-${platformTag()}`);
    copyFileSync(file, program);
    chmodSync(program, EXECUTABLE);
    return program;
  });
  return stagePlatform(stage, nativeManifest(platformTag(), files), files);
}

function stageCompiler(stage) {
  const folder = newFolder(stage, 'compiler', compilerManifest());
  for (const name of ['dist', 'types', 'README.md', 'LICENSE']) cpSync(join(compilerDir, name), join(folder, name), { recursive: true });
  return folder;
}

function stageCreate(stage) {
  const folder = newFolder(stage, 'create', createManifest());
  for (const name of ['create-fulmar.cjs', 'README.md', 'LICENSE']) copyFileSync(join(createDir, name), join(folder, name));
  return folder;
}

function stagePlatform(stage, manifest, files) {
  const folder = newFolder(stage, basename(manifest.name), manifest);
  for (const file of files) cpSync(file, join(folder, basename(file)));
  copyFileSync(join(packageDir, 'LICENSE'), join(folder, 'LICENSE'));
  // Of the crates that are compiled in.
  copyFileSync(join(distDir, 'THIRD_PARTY_NOTICES'), join(folder, 'THIRD_PARTY_NOTICES'));
  writeFileSync(join(folder, 'README.md'), `# ${manifest.name}\n\n${manifest.description}\n`);
  return folder;
}

function newFolder(stage, name, manifest) {
  const folder = join(stage, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return folder;
}

async function packFolder(folder, out) {
  const args = ['pack', folder, '--pack-destination', out, '--json', '--ignore-scripts', '--loglevel=error'];
  const { code, output, stdout } = await capture(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
  if (code !== 0) throw new Failure(`npm pack failed:\n${output}`);
  return join(out, /"filename": "([^"]+)"/.exec(stdout)[1].replace('@', '').replace('/', '-'));
}

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist-packages') } } });
  const out = resolve(process.env.INIT_CWD ?? '.', values.out);
  const [fulmar, engine, native, compiler] = (await pack(out)).map((file) => relative(process.cwd(), file));
  console.log(`\nIn your project:\n  npm install ${resolve(fulmar)} ${resolve(engine)}`);
  console.log(`and for \`fulmar build --native\` and \`fulmar bench\`:\n  npm install -D ${resolve(native)}`);
  console.log(`and for the types of \`fulmar/types\`:\n  npm install -D ${resolve(compiler)}`);
}

if (isMain(import.meta.url)) await runMain(main);
