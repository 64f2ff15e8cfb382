/**
 * A template file: found in the view directories, rendered by the engine of its extension. Made per
 * `app.render` call unless the view cache is on. Never touches a request.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Engine } from './application-types.ts';
import { readGlobal } from '../host/globals.ts';

export interface ViewOptions {
  readonly defaultEngine: string | undefined;
  readonly root: string | readonly string[];
  readonly engines: Record<string, Engine>;
}

type RenderArguments = [err: unknown, html?: string];

export interface View {
  defaultEngine: string | undefined;
  ext: string;
  name: string;
  root: string | readonly string[];
  engine: Engine;
  path: string | undefined;
  lookup(name: string): string | undefined;
  render(options: object, callback: (...args: RenderArguments) => void): void;
  resolve(dir: string, file: string): string | undefined;
}

/** The constructor's work: finds the engine and the file. */
export function construct(this: View, name: string, options?: ViewOptions): void {
  const given = (options || {}) as ViewOptions;
  this.defaultEngine = given.defaultEngine;
  this.ext = path.extname(name);
  this.name = name;
  this.root = given.root;
  if (!this.ext && !this.defaultEngine) {
    throw new Error('No default engine was specified and no extension was provided.');
  }
  let fileName = name;
  if (!this.ext) {
    const engineName = this.defaultEngine as string;
    this.ext = engineName[0] === '.' ? engineName : `.${engineName}`;
    fileName += this.ext;
  }
  given.engines[this.ext] ||= loadEngine(this.ext.slice(1));
  this.engine = given.engines[this.ext] as Engine;
  this.path = this.lookup(fileName);
}

export interface ViewConstructor {
  new (name: string, options?: ViewOptions): View;
  readonly prototype: View;
}

// A function rather than a class: applications subclass and call it as upstream's.
Object.defineProperty(construct, 'name', { value: 'View' });
export const View = construct as unknown as ViewConstructor;

View.prototype.lookup = function lookup(name) {
  let found: string | undefined;
  for (const root of ([] as string[]).concat(this.root)) {
    const location = path.resolve(root, name);
    found = this.resolve(path.dirname(location), path.basename(location));
    if (found) break;
  }
  return found;
};

View.prototype.render = function render(options, callback) {
  let isSync = true;
  this.engine(this.path as string, options, function onRender(this: unknown, ...args: RenderArguments) {
    if (!isSync) {
      callback.apply(this, args);
      return;
    }
    // Callers may rely on the callback coming later, whatever the engine does.
    process.nextTick(() => callback.apply(this, args));
  });
  isSync = false;
};

View.prototype.resolve = function resolve(dir, file) {
  const direct = path.join(dir, file);
  if (isFile(direct)) return direct;
  const index = path.join(dir, path.basename(file, this.ext), `index${this.ext}`);
  return isFile(index) ? index : undefined;
};

function loadEngine(name: string): Engine {
  const engine = (requireFromApp(name) as { __express?: unknown }).__express;
  if (typeof engine !== 'function') throw new Error(`Module "${name}" does not provide a view engine.`);
  return engine as Engine;
}

/**
 * What is used here of the modules of a built file (`launch/built/modules.ts`,
 * `launch/built/native/bundled.ts`).
 */
interface ModulesOfBundle {
  requireOf(importer: string): (name: string) => unknown;
}

/** Loads a package the way the application would: from its main file, or from the working directory. */
function requireFromApp(name: string): unknown {
  // In a file made by `fulmar build` packages have no files.
  const bundle = readGlobal('fulmar.bundle') as { api?: ModulesOfBundle } | undefined;
  if (bundle?.api !== undefined) return bundle.api.requireOf('index.js')(name);
  const main = process.argv[1];
  if (main !== undefined) {
    try {
      return createRequire(path.resolve(main))(name);
    } catch (err) {
      if ((err as { code?: unknown }).code !== 'MODULE_NOT_FOUND') throw err;
    }
  }
  return createRequire(path.join(process.cwd(), 'index.js'))(name);
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
