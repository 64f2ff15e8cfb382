/**
 * Imports of files of other languages: `import model from './model.py'`. Node finds the file; what runs in its place is a
 * module of one line, whose default export is the lazy handle that `Polyglot.import()` gives. The language begins to
 * start then, and nobody waits for it.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModuleFormat } from '../compile/file-types.ts';

/** Tells that a source imports such a file; calls of methods, as `python.import('./model.py')`, are none of Node's imports. */
export const importsGuests = /(?<![.\w$])(?:from|import)\s*\(?\s*["'`][^"'`\n]+\.(?:py|rb|java)["'`]/;

/** What stands for `file`. `bundleFile` is one of ours, beside which `fulmar/polyglot` is. */
export function guestModule(file: string, format: ModuleFormat, bundleFile: string): string {
  const dist = dirname(bundleFile);
  const made = `Polyglot.import(${JSON.stringify(file)});\n`;
  return format === 'commonjs'
    ? `module.exports = require(${JSON.stringify(join(dist, 'polyglot.cjs'))}).${made}`
    : `import { Polyglot } from ${JSON.stringify(pathToFileURL(join(dist, 'polyglot.mjs')).href)};\nexport default ${made}`;
}
