/**
 * Which files are the application's to reload, and how a version is written into the URL of an ES module: Node keeps
 * each URL's module for ever, so that a file that has changed is imported by another one.
 *
 * Also used in the loader thread of old Nodes. Knows no file's content.
 */
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'fulmar-version';
const VERSION = /[?&]fulmar-version=\d+/;

export function withVersion(url: string, version: number): string {
  if (version === 0) return url;
  const hash = url.indexOf('#');
  const [base, rest] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  return `${base}${base.includes('?') ? '&' : '?'}${NAME}=${version}${rest}`;
}

export const withoutVersion = (url: string): string => url.replace(VERSION, '');

/** The path of a `file:` URL; undefined: it is none. */
export function toPath(url: string | undefined): string | undefined {
  if (url?.startsWith('file:') !== true) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** What is installed stays as it is; what a workspace links lies elsewhere, as Node names files by where they really are. */
export const isInstalled = (path: string): boolean => path.includes(`${sep}node_modules${sep}`);

/** What stands for our own modules that import files of the application: those of `fulmar/routes`. */
export const OWN = '<fulmar/routes>';

// Where these bundles load files of routes: the tests of `fulmar dev` find out when that is elsewhere.
const ROUTES = /^(?:lib-)?(?:routes|project)\.[cm]js$|^shared-create-project\.cjs$/;
const ROUTES_DOOR = /^(?:lib-)?routes\.[cm]js$/;

/** Decides what a URL or path is to the graph. `ownFolder`: that of our bundles. */
export class Tracked {
  readonly #own: string;

  constructor(ownFolder: string) {
    this.#own = ownFolder + sep;
  }

  /** A file that may be loaded anew. */
  fileOf(url: string | undefined): string | undefined {
    const path = toPath(url);
    return path === undefined || isInstalled(path) || path.startsWith(this.#own) ? undefined : path;
  }

  /** Who imports: a file of the application, or ours that import its files. */
  importerOf(url: string | undefined): string | undefined {
    const path = toPath(url);
    if (path?.startsWith(this.#own) === true) return ROUTES.test(path.slice(this.#own.length)) ? OWN : undefined;
    return path === undefined || isInstalled(path) ? undefined : path;
  }

  /** Does it lead to `fulmar/routes`? */
  isRoutes(url: string): boolean {
    const path = toPath(url);
    return path?.startsWith(this.#own) === true && ROUTES_DOOR.test(path.slice(this.#own.length));
  }
}

/** The ES module says of itself what it said before: its URL, and its place in stacks. */
export function hideVersion(source: string, url: string): string {
  const named = `\n//# sourceURL=${url}\n`;
  if (!/\bimport\s*\.\s*meta\b/.test(source) || source.startsWith('#!')) return source + named;
  return `import.meta.url=${JSON.stringify(url)};${source}${named}`;
}
