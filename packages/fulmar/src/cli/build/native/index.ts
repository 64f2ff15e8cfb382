/**
 * `fulmar build --native`: makes one executable of an application: the native runtime, the application as bytecode, and the files it
 * reads. Needs no compiler; the runtime itself compiles to bytecode.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../../errors.ts';
import { type Asset } from '../assets.ts';
import { bundleNative, type NativeBundle, type NativeBundleInput } from './bundle.ts';
import { findRuntime, pack, type Runtime } from './runtime.ts';

export interface NativeInput extends Omit<NativeBundleInput, 'has'> {
  readonly out: string;
  /** Folder of our own bundles. */
  readonly dist: string;
  readonly version: string;
  readonly stripDebug: boolean;
}

export interface NativeBuilt {
  readonly bundle: NativeBundle;
  readonly bytes: number;
}

export async function buildNative(input: NativeInput): Promise<NativeBuilt> {
  const runtime = findRuntime(input.dist, input.version);
  const bundle = await bundleNative({ ...input, has: (name) => runtime.modules.has(name) });
  writeExecutable(runtime, bundle, input);
  return { bundle, bytes: statSync(input.out).size };
}

/** What stack traces call the bundle; `src/native/process/stacks.ts` knows it. */
const LABEL = 'bundle.js';

interface Entry {
  readonly name: string;
  readonly kind: 'function' | 'module' | 'raw';
  readonly file: string;
  /** What stack traces call it. */
  readonly label?: string;
  readonly modifiedMs?: number;
}

function writeExecutable(runtime: Runtime, bundle: NativeBundle, { out, assets, stripDebug }: NativeInput): void {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-build-'));
  try {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const main: Entry = { name: 'main', kind: bundle.kind, file: write('main.js', bundle.code), label: LABEL };
    const maps: Entry[] = bundle.map === undefined ? [] : [{ name: 'main.map', kind: 'raw', file: write('main.map', bundle.map) }];
    const entries = [main, ...maps, ...assets.map(toEntry)];
    const manifest = write('manifest.json', JSON.stringify({ role: 'application', strip: stripDebug, entries }));
    place(out, (temporary) => pack(runtime, manifest, temporary));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const toEntry = ({ place: name, file, mtimeMs }: Asset): Entry => ({ name: `files/${name}`, kind: 'raw', file, modifiedMs: mtimeMs });

/** Written beside its place and renamed: what runs from an older one keeps that. */
function place(out: string, write: (temporary: string) => void): void {
  const temporary = join(dirname(out), `.${basename(out)}.${process.pid}.tmp`);
  try {
    mkdirSync(dirname(out), { recursive: true });
    // Whether it can be written shall be told in these words, not in the runtime's.
    writeFileSync(temporary, '');
    write(temporary);
    renameSync(temporary, out);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError('FULMAR_CLI_BUILD_OUTPUT', `cannot write ${out}: ${(cause as Error).message}`, { cause });
  } finally {
    if (existsSync(temporary)) rmSync(temporary);
  }
}
