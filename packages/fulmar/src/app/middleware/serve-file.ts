/**
 * One request to `staticFiles()`: the path below its folder, the file that this means, the form of it that the
 * client takes. Never decides who answers instead.
 */
import type { AnyContext } from '../context.ts';
import { files } from '../lazy.ts';
import { chooseCoding, type Coding, type PrecompressedCoding } from './content-codings.ts';

type Files = ReturnType<typeof files>;
type Settings = ReturnType<Files['settingsOf']>;
type Found = NonNullable<Awaited<ReturnType<Files['firstOf']>>>;

export interface FileServer {
  readonly settings: Settings;
  /** Without its slash at the end; empty: none. */
  readonly prefix: string;
  readonly precompressed: readonly PrecompressedCoding[];
  /** The path of the file for pages that nobody has. */
  readonly fallback: string | null;
  readonly headersOf: ((file: string, c: AnyContext) => Readonly<Record<string, string>> | undefined | void) | null;
}

const ENDINGS: Readonly<Record<PrecompressedCoding, string>> = { br: 'br', zstd: 'zst', gzip: 'gz' };
const MOVED = 301;
/** A file has one path here: by another one it would be found past the middleware that looks after its folder. */
const OTHER_SPELLING = /\/\/|%2f|%5c|\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

export interface Asked {
  /** Segments of the path before the folder's. */
  readonly base: number;
  /** A page of the application in the browser may answer. */
  readonly isPage: boolean;
}

/**
 * The reply's value, or the status that says why there is none. @throws HttpError 412, 416; the system's error
 * for what cannot be read
 */
export function serveFile(c: AnyContext, server: FileServer, { base, isPage }: Asked): unknown {
  const path = pathBelow(c.pathname, base, server.prefix);
  if (path === undefined) return 404;
  const file = files().resolvePath(path, server.settings);
  const fallback = isPage && server.fallback !== null && isForPage(c) ? server.fallback : null;
  if (typeof file === 'number') return file === 404 && fallback !== null ? page(c, server, fallback) : file;
  const found = files().findFile(file, server.settings);
  const reply = (what: Awaited<typeof found>): unknown => {
    if (what === 'folder') return redirect(c);
    if (what !== undefined) return OTHER_SPELLING.test(path) ? 404 : send(c, server, what);
    return fallback === null ? 404 : page(c, server, fallback);
  };
  return found instanceof Promise ? found.then(reply) : reply(found);
}

/** The path behind that of the folder, as it came; empty for the folder without its slash. */
function pathBelow(pathname: string, base: number, prefix: string): string | undefined {
  const rest = base === 0 ? pathname : pathname.slice(pathname.split('/', base + 1).join('/').length);
  if (prefix === '') return rest;
  return rest === prefix || rest.startsWith(`${prefix}/`) ? rest.slice(prefix.length) : undefined;
}

/** A browser goes to a page: it takes HTML, and the path does not name a file. */
function isForPage(c: AnyContext): boolean {
  const accepted = c.header('accept');
  return !/\.[^/]*$/.test(c.pathname) && (accepted === undefined || /text\/html|\*\/\*/i.test(accepted));
}

async function page(c: AnyContext, server: FileServer, fallback: string): Promise<unknown> {
  const found = await files().firstOf([fallback]);
  return found === undefined ? 404 : send(c, server, found);
}

/** Several slashes at the begin would be a host to a browser. */
function redirect(c: AnyContext): unknown {
  const { url, pathname } = c;
  const query = url.indexOf('?');
  return c.redirect(`${pathname.replace(/^\/+/, '/')}/${query < 0 ? '' : url.slice(query)}`, MOVED);
}

function send(c: AnyContext, server: FileServer, found: Found): unknown {
  for (const [name, value] of Object.entries(server.headersOf?.(found.file, c) ?? {})) c.header(name, value);
  if (server.precompressed.length === 0) return files().reply(c, found, server.settings);
  c.header('Vary', 'Accept-Encoding', { append: true });
  return sendCoded(c, server, found);
}

/** The first of the compressed files that is there and that the client takes, in the order in which it likes them. */
async function sendCoded(c: AnyContext, server: FileServer, found: Found): Promise<unknown> {
  const accepted = c.header('accept-encoding');
  let offered: readonly Coding[] = server.precompressed;
  for (let { coding } = chooseCoding(accepted, offered); coding !== null; { coding } = chooseCoding(accepted, offered)) {
    const taken = coding;
    const coded = await files().firstOf([`${found.file}.${ENDINGS[taken as PrecompressedCoding]}`]);
    if (coded !== undefined) {
      c.header('Content-Encoding', taken);
      return files().reply(c, coded, server.settings, files().typeOfFile(found.file));
    }
    offered = offered.filter((one) => one !== taken);
  }
  return files().reply(c, found, server.settings);
}
