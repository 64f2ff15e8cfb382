/** `node:url` */
import ops from 'fulmar:ops';
import { invalidArgType, missingArgs, unsupported } from '../shared/errors.ts';
import { validateObject } from '../shared/validators.ts';
import { fileURLToPath, fileURLToPathBuffer, pathToFileURL } from './files.ts';
import { parsed, Url } from './legacy.ts';

function urlToHttpOptions(url: URL): object {
  validateObject(url, 'url', { allowArray: true, allowFunction: true });
  const { hostname, pathname, port, username, password, search } = url;
  const options = Object.assign(Object.create(null) as Record<string, unknown>, url as object, {
    protocol: url.protocol,
    hostname: hostname?.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  });
  if (port !== '') options['port'] = Number(port);
  if (username || password) options['auth'] = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

interface FormatOptions {
  readonly fragment?: boolean;
  readonly unicode?: boolean;
  readonly search?: boolean;
  readonly auth?: boolean;
}

function formatUrl(url: URL, options: FormatOptions | undefined): string {
  if (options) validateObject(options, 'options');
  const copy = new URL(url.href);
  if (options?.fragment === false) copy.hash = '';
  if (options?.search === false) copy.search = '';
  if (options?.auth === false) {
    copy.username = '';
    copy.password = '';
  }
  const { href, host, hostname } = copy;
  if (options?.unicode !== true || hostname === '') return href;
  const at = href.indexOf(host, copy.protocol.length);
  return href.slice(0, at) + ops.domainToUnicode(hostname) + href.slice(at + hostname.length);
}

function format(urlObject: unknown, options?: FormatOptions): string {
  if (typeof urlObject === 'string') return parsed(urlObject).format();
  if (typeof urlObject !== 'object' || urlObject === null) throw invalidArgType('urlObject', ['Object', 'string'], urlObject);
  if (urlObject instanceof URL) return formatUrl(urlObject, options);
  return Url.prototype.format.call(urlObject as Url);
}

const url = {
  Url,
  parse: parsed,
  resolve: (source: unknown, relative: unknown): string => parsed(source, false, true).resolve(relative),
  resolveObject: (source: unknown, relative: unknown): unknown => (source ? parsed(source, false, true).resolveObject(relative) : relative),
  format,
  domainToASCII(domain: unknown): string {
    if (arguments.length === 0) throw missingArgs('domain');
    return ops.domainToAscii(String(domain));
  },
  domainToUnicode(domain: unknown): string {
    if (arguments.length === 0) throw missingArgs('domain');
    return ops.domainToUnicode(String(domain));
  },
  pathToFileURL,
  fileURLToPath,
  fileURLToPathBuffer,
  urlToHttpOptions,
};

Object.defineProperties(url, {
  URL: { get: () => URL, enumerable: true, configurable: true },
  URLSearchParams: { get: () => URLSearchParams, enumerable: true, configurable: true },
  URLPattern: {
    value: function URLPattern(): never {
      throw unsupported('URLPattern', 'use the npm package urlpattern-polyfill');
    },
    enumerable: true,
  },
});

export default url;
