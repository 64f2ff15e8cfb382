// The runtime's functions by name, and small helpers of the cases. Runs in the child.
import { planOf } from '../harness/write.ts';

export interface Case {
  readonly content: Uint8Array;
  call(value: unknown): unknown;
  /** What is written is another each time. */
  readonly isRandom?: true;
}
export type Cases = Readonly<Record<string, Case>>;

/** An object of the runtime's: its functions are called by name, with whatever a test wants to give them. */
export class Loose {
  readonly target: object;
  constructor(target: object) {
    this.target = target;
  }
  /** The result; an object that is a table of functions again, as one of these. */
  call(name: string, ...args: unknown[]): Loose {
    const method = (this.target as Record<string, ((...args: unknown[]) => unknown) | undefined>)[name];
    if (method === undefined) throw new Error(`the runtime has no ${name}`);
    return wrapped(method.apply(this.target, args)) as Loose;
  }
  get(name: string): Loose {
    return new Loose((this.target as Record<string, object>)[name] as object);
  }
}

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && Object.values(value).some((member) => typeof member === 'function');
const wrapped = (value: unknown): unknown => (isTable(value) ? new Loose(value) : value);

const plan = planOf<{ lookup: (id: string) => unknown; folder: string }>();
const { lookup } = plan;
export const ops = new Loose(lookup('ops-under-test') as object);
export const fs = lookup('node:fs') as typeof import('node:fs');
/** Empty at first; the parent removes it. */
export const folder: string = fs.mkdtempSync(`${plan.folder}/views-`);

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
export const bytes = (buffer: unknown): Uint8Array => new Uint8Array(buffer as ArrayBuffer);

/** What `work` gives and what it wrote to a file. */
export function read(work: (fd: number) => unknown): unknown {
  const path = `${folder}/written`;
  const fd = fs.openSync(path, 'w');
  try {
    const outcome = work(fd);
    return [outcome, new Uint8Array(fs.readFileSync(path))];
  } finally {
    fs.closeSync(fd);
  }
}
