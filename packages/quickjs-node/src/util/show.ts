/**
 * `util.inspect` and `util.format` as other modules import them: small, the work is loaded when something is
 * shown.
 */
import later from 'fulmar:later';
import type * as Inspect from './inspect.later.ts';

let loaded: typeof Inspect | undefined;

export function lazyInspect(): typeof Inspect {
  if (loaded === undefined) {
    loaded = later<typeof import('./inspect.later.ts')>();
    loaded.setPublic(inspect);
  }
  return loaded;
}

/** `inspect(value, options)`, or the old `inspect(value, showHidden, depth, colors)`. */
export function inspect(value: unknown, opts?: unknown, ...old: [depth?: number | null, colors?: boolean]): string {
  return lazyInspect().inspect(value, opts as object, ...old);
}
inspect.custom = Symbol.for('nodejs.util.inspect.custom');
for (const name of ['colors', 'styles', 'defaultOptions'] as const) {
  Object.defineProperty(inspect, name, {
    get: () => lazyInspect()[name],
    set(value: object) {
      lazyInspect().setMember(name, value);
    },
    enumerable: name !== 'defaultOptions',
    configurable: true,
  });
}

/** Text without placeholders needs nothing but itself. */
export function format(...args: unknown[]): string {
  const [first] = args;
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    if (!first.includes('%') && args.every((arg) => typeof arg === 'string')) return args.join(' ');
  }
  return lazyInspect().formatAll(undefined, args);
}

export function formatWithOptions(inspectOptions: object, ...args: unknown[]): string {
  return lazyInspect().formatWithOptions(inspectOptions, ...args);
}
