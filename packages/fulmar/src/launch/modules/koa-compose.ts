/**
 * Which koa-compose an application's Koa would load: versions below 4.2 read the array of middleware at each
 * request, later ones copy it when `app.callback()` is called. Our Koa does what the installed one does;
 * where none is installed, what the newest does.
 *
 * Asked once for each Koa that is loaded, or when an application is built.
 */
import { dirname } from 'node:path';
import { findInstalled } from './aliases.ts';
import { globalInSource, setGlobal } from '../../host/globals.ts';

/** The version that the Koa in `folder` gets. */
export function koaComposeOf(folder: string): string | undefined {
  return findInstalled('koa-compose', folder, new Map())?.version;
}

/** Tells our Koa, in whose place it runs. */
export function noteKoaCompose(folder: string): void {
  const version = koaComposeOf(folder);
  if (version !== undefined) setGlobal('fulmar.koaCompose', version);
}

/**
 * A statement that does the same in the file that is built from `entry`; empty when there is nothing to tell.
 */
export function koaComposeStatement(entry: string): string {
  const koa = findInstalled('koa', dirname(entry), new Map());
  const version = koa === null ? undefined : koaComposeOf(koa.folder);
  return version === undefined ? '' : `${globalInSource('fulmar.koaCompose')} = ${JSON.stringify(version)};\n`;
}
