/**
 * `fulmar build --native`: makes one executable of an application: the QuickJS host, the application as
 * bytecode, and the files it reads. Needs no compiler; the host itself compiles to bytecode.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asset } from '../assets.ts';
import { asksForProcesses, guestLibraries, processParts } from '../guest-files.ts';
import { putInPlace } from '../output.ts';
import { bundleNative, type NativeBundle, type NativeBundleInput } from './bundle.ts';
import { findProgram, pack, type Program } from './program.ts';
import { makeTemporaryFolder } from '../../temporary.ts';

export interface NativeInput extends Omit<NativeBundleInput, 'has'> {
  readonly out: string;
  /** Folder of our own bundles. */
  readonly dist: string;
  readonly stripDebug: boolean;
}

export interface NativeBuilt {
  readonly bundle: NativeBundle;
  readonly bytes: number;
}

export async function buildNative(input: NativeInput): Promise<NativeBuilt> {
  const runtime = findProgram(input);
  const bundle = withGuests(await bundleNative({ ...input, has: (name) => runtime.modules.has(name) }), input);
  writeExecutable(runtime, bundle, input);
  return { bundle, bytes: statSync(input.out).size };
}

/** With the libraries of other languages, where the application asks for them. */
function withGuests(bundle: NativeBundle, { dist, project }: NativeInput): NativeBundle {
  const asks = JSON.stringify('fulmar/polyglot');
  const parts = [bundle, ...bundle.parts];
  if (!parts.some(({ code }) => code.includes(asks))) return bundle;
  const processes = parts.some(({ code }) => asksForProcesses(code)) ? processParts(dist, project) : [];
  return { ...bundle, assets: [...bundle.assets, ...guestLibraries(dist, project), ...processes] };
}

/** What stack traces call the bundle; `packages/quickjs-node/src/process/stacks.ts` knows it. */
const LABEL = 'bundle.js';

interface Entry {
  readonly name: string;
  readonly kind: 'function' | 'module' | 'raw';
  readonly file: string;
  /** What stack traces call it. */
  readonly label?: string;
  readonly modifiedMs?: number;
}

function writeExecutable(runtime: Program, bundle: NativeBundle, { out, stripDebug }: NativeInput): void {
  const folder = makeTemporaryFolder('build');
  try {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const main: Entry = { name: 'main', kind: bundle.kind, file: write('main.js', bundle.code), label: LABEL };
    const maps: Entry[] = bundle.map === undefined ? [] : [{ name: 'main.map', kind: 'raw', file: write('main.map', bundle.map) }];
    const parts = bundle.parts.flatMap(({ name, code, map }): Entry[] => [
      { name: `code/${name}`, kind: 'function', file: write(name, code), label: `${LABEL}/${name}` },
      ...(map === undefined ? [] : [{ name: `${name}.map`, kind: 'raw' as const, file: write(`${name}.map`, map) }]),
    ]);
    const entries = [main, ...maps, ...parts, ...bundle.assets.map(toEntry)];
    const manifest = write('manifest.json', JSON.stringify({ role: 'application', strip: stripDebug, entries }));
    putInPlace(out, (temporary) => pack(runtime, manifest, temporary));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const toEntry = ({ place: name, file, mtimeMs }: Asset): Entry => ({ name: `files/${name}`, kind: 'raw', file, modifiedMs: mtimeMs });
