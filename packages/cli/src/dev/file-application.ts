/**
 * A file that makes a server of its own under `fulmar dev`: it runs again with everything between it and what has
 * changed, and what it listens on is handed from one run to the next (`hot/sockets.ts`). What it only exports is served.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Hot, OWN } from '../../../fulmar/src/hot/index.ts';
import { formatOf, isCompiled } from '../../../fulmar/src/launch/compile/file-types.ts';
import type { Application, Place } from './application-types.ts';
import { EXPORT_WAIT_MS, MODULE_OR_PAGE, PATHS_MAX } from './limits.ts';

type Exported = typeof import('../../../fulmar/src/launch/exported/index.ts');

interface MainLoader {
  _load(file: string, parent: null, isMain: true): unknown;
}

export interface FileOptions {
  /** Its real path. */
  readonly file: string;
  /** Of the package it belongs to. */
  readonly root: string;
  readonly args: readonly string[];
  readonly place: Place;
  readonly hot: Hot;
  readonly loadOwn: (bundle: string) => unknown;
}

export class FileApplication implements Application {
  readonly root: string;
  readonly entry: string;
  readonly #options: FileOptions;
  /** It has been listened for before: this time without waiting. */
  #isExported = false;
  /** Files beside those that it has loaded. */
  readonly #there = new Set<string>();

  constructor(options: FileOptions) {
    this.#options = options;
    ({ root: this.root, file: this.entry } = options);
  }

  /** Known where it was said; every application has its own way to choose one. */
  get target(): Application['target'] {
    const { port, host } = this.#options.place;
    const variable = process.env['PORT'];
    const known = port ?? (variable === undefined || variable === '' ? undefined : Number(variable));
    return known === undefined || !Number.isInteger(known) ? undefined : { port: known, ...(host === undefined ? {} : { host }) };
  }

  async load(): Promise<void> {
    const exports = await this.#run();
    // An application that listens when its database answers does so as the newest code, too.
    if (!this.#isExported) await this.#waitForServer();
    if (this.#options.hot.hasListened()) return;
    await this.#serveExport(exports);
  }

  /** Routes of folders that it reads itself. */
  isReshapedBy(paths: ReadonlySet<string>): boolean {
    const { graph } = this.#options.hot;
    const folders = graph.files().flatMap((file) => (graph.importersOf(file).has(OWN) ? [dirname(file)] : []));
    if (folders.length === 0) return false;
    // The folder that it reads is unknown: one that has all of these, perhaps.
    const isNear = (path: string): boolean =>
      folders.some((folder) => dirname(path) === folder || path.startsWith(folder + sep) || folder.startsWith(dirname(path) + sep));
    return [...paths].filter((path) => MODULE_OR_PAGE.test(path) && isNear(path) && this.#comesOrGoes(path)).length > 0;
  }

  /** Data that the application writes again and again comes once. */
  #comesOrGoes(path: string): boolean {
    if (!existsSync(path)) {
      this.#there.delete(path);
      return true;
    }
    if (this.#there.has(path) || this.#options.hot.graph.has(path)) return false;
    if (this.#there.size >= PATHS_MAX) this.#there.clear();
    this.#there.add(path);
    return true;
  }

  needs(files: ReadonlySet<string>, isOwn: boolean): boolean {
    return isOwn || files.size > 0;
  }

  async #run(): Promise<unknown> {
    const { file } = this.#options;
    if (isModule(file)) return import(pathToFileURL(file).href);
    const loader = process.getBuiltinModule('node:module') as unknown as MainLoader;
    try {
      return loader._load(file, null, true);
    } catch (error) {
      // It awaits at its top, which only an ES module can.
      if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_REQUIRE_ASYNC_MODULE') return import(pathToFileURL(file).href);
      throw error;
    }
  }

  async #waitForServer(): Promise<void> {
    const endAt = performance.now() + EXPORT_WAIT_MS;
    while (!this.#options.hot.hasListened() && performance.now() < endAt) await new Promise((resolve) => void setTimeout(resolve, 1));
  }

  async #serveExport(exports: unknown): Promise<void> {
    const { hot, loadOwn, args, place } = this.#options;
    const { listenExport } = loadOwn('cli-exported') as Exported;
    const all = place.port === undefined ? args : [`--port=${place.port}`];
    const url = await hot.standIn(() => listenExport({ exports, load: (bundle) => loadOwn(bundle), args: all }));
    this.#isExported = url !== undefined;
  }
}

/** As Node decides; a file that says nothing is what it is written as. */
function isModule(file: string): boolean {
  if (formatOf(file) === 'module') return true;
  if (isCompiled(file) || file.endsWith('.cjs') || hasType(dirname(file))) return false;
  return /^\s*(?:import\b(?!\s*\()|export\b)/m.test(readFileSync(file, 'utf8'));
}

function hasType(folder: string): boolean {
  try {
    return 'type' in (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object);
  } catch (error) {
    const parent = dirname(folder);
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder && hasType(parent);
  }
}
