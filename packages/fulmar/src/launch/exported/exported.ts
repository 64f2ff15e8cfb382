/**
 * What a module exports for somebody else to serve: an app of ours, an object with `fetch`, an Express or Koa
 * application. Looks at values; listens to nothing.
 */

/** How `serve.ts` serves it. */
export type Kind = 'app' | 'fetch' | 'express' | 'koa';

export interface Exported {
  readonly kind: Kind;
  readonly value: object;
  /** For people. */
  readonly title: string;
  readonly port: unknown;
  readonly hostname: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => (typeof value === 'object' || typeof value === 'function') && value !== null;
const has = (value: Members, ...names: string[]): boolean => names.every((name) => typeof value[name] === 'function');

/**
 * A module's default export, or the module itself where it exports `fetch`; of CommonJS what `module.exports` is.
 * Undefined for anything else: a program that runs and ends.
 */
export function exportedOf(exports: unknown): Exported | undefined {
  if (!isObject(exports)) return undefined;
  const isTranspiled = exports['__esModule'] === true || Object.prototype.toString.call(exports) === '[object Module]';
  const value = isTranspiled && isObject(exports['default']) ? exports['default'] : exports;
  // TypeScript's CommonJS within an ES module's default.
  const inner = value['__esModule'] === true && isObject(value['default']) ? value['default'] : value;
  return named(inner) ?? (inner === exports ? undefined : named(exports));
}

function named(value: Members): Exported | undefined {
  const kind = kindOf(value);
  if (kind === undefined) return undefined;
  const { port, hostname } = kind.kind === 'fetch' ? value : ({} as Members);
  return { ...kind, value, port, hostname };
}

function kindOf(value: Members): { kind: Kind; title: string } | undefined {
  if (typeof value === 'function' && has(value, 'handle', 'set', 'listen')) return { kind: 'express', title: 'the Express application' };
  if (has(value, 'fetch', 'inject', 'listen')) return { kind: 'app', title: 'the app' };
  if (has(value, 'callback', 'listen', 'use') && Array.isArray(value['middleware'])) return { kind: 'koa', title: 'the Koa application' };
  if (has(value, 'fetch')) return { kind: 'fetch', title: 'fetch()' };
  // A function of another name may be anything: Bun and Deno run it and serve nothing, too.
  if (typeof value === 'function' && (value as { name: string }).name === 'fetch') return { kind: 'fetch', title: 'fetch()' };
  return undefined;
}
