/**
 * What `express.static` makes: serves the files below a directory, or lets the request fall through. Checks
 * its options once; a request costs one SendStream.
 */
import path from 'node:path';
import url from 'node:url';
import encodeUrl from 'encodeurl';
import parseUrl from 'parseurl';
import type { WebRequest, WebResponse, Next } from '../message-types.ts';
import { collapseLeadingSlashes } from './html-page.ts';
import type { NormalOptions, SendOptions } from './send-options.ts';
import { type SendStream, sendRedirect } from './send-stream.ts';

type SetHeaders = (res: WebResponse, path: string, stat: unknown) => void;

export interface StaticOptions extends SendOptions {
  fallthrough?: boolean;
  redirect?: boolean;
  setHeaders?: SetHeaders;
}

interface ParsedUrl {
  pathname: string;
  path: string | null;
}

export type StaticHandler = (req: WebRequest, res: WebResponse, next: Next) => void;

/** @param Stream what sends files: each version of Express has its own */
export function createStaticHandler(root: unknown, given: StaticOptions | undefined, Stream: typeof SendStream): StaticHandler {
  if (!root) throw new TypeError('root path required');
  if (typeof root !== 'string') throw new TypeError('root path must be a string');
  const options = Object.create(given || null) as StaticOptions;
  const fallthrough = options.fallthrough !== false;
  const onDirectory = options.redirect === false ? refuseDirectory : redirectDirectory;
  const { setHeaders } = options;
  if (setHeaders && typeof setHeaders !== 'function') throw new TypeError('option setHeaders must be function');
  options.maxage = options.maxage || options.maxAge || 0;
  options.root = path.resolve(root);

  let settings: NormalOptions | undefined;

  return function serveStatic(req, res, next) {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      if (fallthrough) next();
      else refuseMethod(res);
      return;
    }
    let forwardError = !fallthrough;
    const original = parseUrl.original(req) as ParsedUrl;
    let { pathname } = parseUrl(req) as ParsedUrl;
    // The redirect to a trailing slash happens at the mount path too.
    if (pathname === '/' && !original.pathname.endsWith('/')) pathname = '';
    // Wrong options are the first request's error, as upstream's.
    settings ??= Stream.settingsOf(options);
    const stream = new Stream(req, pathname, options, settings);
    stream.on('directory', onDirectory);
    if (setHeaders) stream.on('headers', setHeaders);
    if (fallthrough) {
      stream.on('file', () => {
        forwardError = true;
      });
    }
    stream.on('error', (err: { statusCode: number }) => {
      if (forwardError || !(err.statusCode < 500)) next(err);
      else next();
    });
    stream.pipe(res);
  };
}

function refuseMethod(res: WebResponse): void {
  res.statusCode = 405;
  res.setHeader('Allow', 'GET, HEAD');
  res.setHeader('Content-Length', '0');
  res.end();
}

function refuseDirectory(this: SendStream): void {
  this.error(404);
}

function redirectDirectory(this: SendStream, res: WebResponse): void {
  if (this.hasTrailingSlash()) {
    this.error(404);
    return;
  }
  const original = parseUrl.original(this.req) as ParsedUrl;
  original.path = null;
  original.pathname = collapseLeadingSlashes(`${original.pathname}/`);
  sendRedirect(res, encodeUrl(url.format(original as url.UrlObject)));
}
