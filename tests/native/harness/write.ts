/**
 * How a child speaks to its parent: marked lines on stdout. Uses of the host only what it cannot do without,
 * so that it works on a host that has little.
 */
import { MARK } from './mark.ts';

/** Asks the host for one of its modules. */
export type Lookup = (id: string) => unknown;

/** What the parent puts in front of a bundle, as `globalThis.plan`. */
export function planOf<T extends { readonly lookup: Lookup }>(): T {
  return (globalThis as unknown as { plan: T }).plan;
}

const write = findWriter();

function findWriter(): (text: string) => void {
  try {
    const fs = planOf().lookup('node:fs') as typeof import('node:fs');
    if (typeof fs.writeSync === 'function') return (text) => writeAll(fs, text);
  } catch {
    // A host without `fs` yet has a console at least.
  }
  const { console } = globalThis;
  const log = console.log;
  return (text) => log.call(console, text);
}

function writeAll(fs: typeof import('node:fs'), text: string): void {
  let rest: Uint8Array = (planOf().lookup('node:buffer') as typeof import('node:buffer')).Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EAGAIN') throw error;
    }
  }
}

export function say(line: object): void {
  write(`\n${MARK}${JSON.stringify(line)}\n`);
}
