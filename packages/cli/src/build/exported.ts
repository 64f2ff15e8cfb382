/**
 * An application that its entry only exports, as Bun and Deno serve it: what a bundle holds so that it is served
 * (`launch/exported`). Decides by the entry's text, and runs nothing of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globalInSource } from '../../../fulmar/src/host/globals.ts';
import type { Project } from './project.ts';

/** A word in a comment costs a file that is not needed; an export that is missed would be one that is not served. */
const MAY_EXPORT = /\bexports?\b/;

export const mayExport = ({ entry, source }: Project): boolean => source === undefined && MAY_EXPORT.test(readFileSync(entry, 'utf8'));

/** What may say where to listen. A namespace as it is would have to be made, for all that the entry exports. */
const NAMES = ['default', 'fetch', 'port', 'hostname'];

/** Code behind the entry, whose exports it has as `application`. */
export const serveStatement = `${globalInSource('fulmar.bundle')}.serve({__esModule:true,${NAMES.map((name) => `${name}:application.${name}`).join(',')}});`;

/** For `boot` of `launch/built/index.ts`. */
export function exportedSource({ ownFolder }: Project): string {
  const loader = (bundle: string): string => `() => require(${JSON.stringify(join(ownFolder, `${bundle}.cjs`))})`;
  return `{serve: ${loader('cli-exported')}, app: ${loader('app')}, http: ${loader('http')}}`;
}
