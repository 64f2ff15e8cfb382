/**
 * Bundles TypeScript for a child of either host: one CommonJS file that asks the host for its modules through
 * the plan in front of it (`plan.lookup`). Modules may await at their top level, as the whole is one
 * asynchronous function; all of it is strict, as the modules are.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Plugin, rolldown } from 'rolldown';

export interface BundleOptions {
  /** The text of the entry; its imports are absolute paths, packages or Node's modules. */
  readonly entry: string;
  /** Come before the bundler's own resolution. */
  readonly plugins?: readonly Plugin[];
}

const ENTRY = '\0entry.ts';
const HOST = '\0host:';
let made: string | undefined;

/** A folder for bundles, removed when this process ends. */
export function folder(): string {
  if (made === undefined) {
    const path = mkdtempSync(join(tmpdir(), 'fulmar-native-test-'));
    process.once('exit', () => rmSync(path, { recursive: true, force: true }));
    made = path;
  }
  return made;
}

/** The bundle's text; a plan must be put in front of it. */
export async function bundle(options: BundleOptions): Promise<string> {
  const build = await rolldown({
    input: { bundle: ENTRY },
    // The platform would bring `createRequire`, which a bundle without files cannot use.
    platform: 'neutral',
    resolve: { conditionNames: ['node'], mainFields: ['main', 'module'] },
    transform: { define: { 'import.meta.url': JSON.stringify('file:///bundle.mjs') } },
    plugins: [...(options.plugins ?? []), entryOf(options.entry), hostModules()],
    checks: { eval: false, pluginTimings: false },
    onLog: (level, log, handle) => {
      if (level !== 'warn' || log.code === 'UNRESOLVED_IMPORT') handle(level, log);
    },
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    return `(async () => {\n'use strict';\n${output[0].code}\n})();\n`;
  } finally {
    await build.close();
  }
}

function entryOf(text: string): Plugin {
  return {
    name: 'entry',
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? { code: text, moduleType: 'ts' } : null),
  };
}

/** Node's modules and Fulmar's are the host's; loaded where the bundle comes to them. */
function hostModules(): Plugin {
  return {
    name: 'host modules',
    resolveId: (id) => (isBuiltin(id) || /^fulmar\/(http|express4?|koa2?)$/.test(id) ? `${HOST}${id}` : null),
    load: (id) => (id.startsWith(HOST) ? hostModule(JSON.stringify(id.slice(HOST.length))) : null),
  };
}

/**
 * A module that the host lacks fails where it is used, not where it is imported: packages import what they
 * may never need.
 */
function hostModule(id: string): string {
  return `
    let found;
    try { found = plan.lookup(${id}); } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
      const fail = () => { throw error; };
      const hidden = (key) => key === '__esModule' || key === 'default' || typeof key === 'symbol';
      found = new Proxy(fail, { get: (target, key) => (hidden(key) ? undefined : key === 'prototype' ? target.prototype ?? {} : fail), construct: fail });
    }
    module.exports = found;`;
}
