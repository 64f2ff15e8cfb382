/**
 * Versions of routes: in the path, or told by a field, by `Accept`, or by a function of the application.
 */
import type { AnyContext } from '../../app/index.ts';
import { VERSION_NEUTRAL, VersioningType } from '../enums.ts';
import type { VersioningOptions, VersionValue } from '../nest-types.ts';
import type { VersionMatch } from './route-match.ts';

/** @throws TypeError for what is none */
export function checkVersioning(options: VersioningOptions): void {
  const { type } = options;
  const needs =
    type === VersioningType.HEADER
      ? 'header'
      : type === VersioningType.MEDIA_TYPE
        ? 'key'
        : type === VersioningType.CUSTOM
          ? 'extractor'
          : null;
  const wanted = type === VersioningType.CUSTOM ? 'function' : 'string';
  if (type !== VersioningType.URI && needs === null)
    throw new TypeError('enableVersioning() takes { type }: VersioningType.URI, HEADER, MEDIA_TYPE or CUSTOM.');
  if (needs !== null && typeof (options as unknown as Record<string, unknown>)[needs] !== wanted)
    throw new TypeError(`enableVersioning() of that type takes { ${needs} } as well, a ${wanted}.`);
}

const listOf = (version: VersionValue): (string | symbol)[] => (Array.isArray(version) ? version : [version]);

/** What stands in a path for each version; one empty text where it says none. */
export function versionPaths(version: VersionValue | undefined, options: VersioningOptions | null): string[] {
  if (version === undefined || options?.type !== VersioningType.URI) return [''];
  const prefix = options.prefix === false ? '' : (options.prefix ?? 'v');
  return listOf(version).map((one) => (one === VERSION_NEUTRAL ? '' : `/${prefix}${String(one)}`));
}

/** Null: whatever a request says. */
export function versionMatch(version: VersionValue | undefined, options: VersioningOptions | null): VersionMatch | null {
  if (options === null || version === undefined || version === VERSION_NEUTRAL || options.type === VersioningType.URI) return null;
  const versions = new Set(listOf(version));
  if (options.type === VersioningType.CUSTOM) {
    const { extractor } = options;
    return (c) => [extractor(new VersionedRequest(c))].flat().some((one) => versions.has(one));
  }
  const asked: (c: AnyContext) => string | undefined =
    options.type === VersioningType.HEADER ? (c) => c.header(options.header) : (c) => parameterOf(c.header('accept') ?? '', options.key);
  return (c) => {
    const one = asked(c);
    return one === undefined || one === '' ? Array.isArray(version) && versions.has(VERSION_NEUTRAL) : versions.has(one);
  };
}

/** What begins with the key (`v=`) among the parameters of `Accept`. */
function parameterOf(accept: string, key: string): string | undefined {
  for (const range of accept.split(','))
    for (const part of range.split(';').slice(1)) {
      const text = part.trim();
      if (text.startsWith(key)) return text.slice(key.length).replace(/^"(.*)"$/, '$1');
    }
  return undefined;
}

/** What a function that tells versions looks at. */
class VersionedRequest {
  readonly #c: AnyContext;

  constructor(c: AnyContext) {
    this.#c = c;
  }

  get headers(): unknown {
    return this.#c.headers;
  }
  get query(): unknown {
    return this.#c.query;
  }
  get params(): unknown {
    return this.#c.params;
  }
  get method(): string {
    return this.#c.method;
  }
  get url(): string {
    return this.#c.url;
  }
  get originalUrl(): string {
    return this.#c.url;
  }
  get path(): string {
    return this.#c.pathname;
  }
  get ip(): string {
    return this.#c.ip;
  }
  get hostname(): string {
    return this.#c.hostname;
  }
  get(name: string): string | undefined {
    return this.#c.header(name);
  }
  header(name: string): string | undefined {
    return this.#c.header(name);
  }
}
