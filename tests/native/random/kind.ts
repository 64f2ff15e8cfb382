/** A kind of random programs: data, so that a program can be given to children and made smaller. */
import type { Random } from './random.ts';

export interface Kind<T> {
  make(random: Random): T;
  /** What a program shows, on the host that runs it; never rejects. */
  answer(program: T): Promise<unknown>;
  /** Programs that are a little less than `program`. */
  smaller(program: T): Iterable<T>;
}

/** A call by name with arguments as they are written below. */
export type Call = readonly [name: string, ...args: unknown[]];

/** Bytes, as data. */
export interface Bytes {
  readonly hex: string;
  /** As what they are given. */
  readonly as?: 'Uint8Array' | 'ArrayBuffer' | 'DataView';
}

export function bytes(content: Uint8Array, as?: Bytes['as']): Bytes {
  return { hex: Buffer.from(content).toString('hex'), ...(as === undefined ? {} : { as }) };
}

const isBytes = (value: object): value is Bytes => 'hex' in value;

/** Arguments for a call: bytes are made of their data, everything else stays as it is. */
export function alive(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(alive);
  if (typeof value !== 'object') return value;
  if (!isBytes(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, alive(member)]));
  const content = Buffer.from(value.hex, 'hex');
  const own = new Uint8Array(content);
  if (value.as === 'ArrayBuffer') return own.buffer;
  if (value.as === 'DataView') return new DataView(own.buffer);
  return value.as === 'Uint8Array' ? own : content;
}

/** A result as data. */
export function shown(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return { memory: Buffer.from(value).toString('hex') };
  if (ArrayBuffer.isView(value)) return { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex') };
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'undefined' : value;
}

/**
 * An error as data. What comes out of OpenSSL's queue of errors depends on earlier calls: of it only that
 * there was one is told.
 */
export function thrown(error: unknown): unknown {
  const { name, code, message } = error as Error & { code?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_OSSL') ? `${name} of OpenSSL` : `${name} ${String(code)} ${message}`;
}

export const dataSizes = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 1000] as const;

export function someBytes(random: Random, sizes: readonly number[] = dataSizes): Buffer {
  return Buffer.from(Array.from({ length: random.pick(sizes) }, () => random.below(256)));
}

/** A list without one of its members. */
export function* fewer<T>(list: readonly T[]): Generator<T[]> {
  for (const index of list.keys()) yield list.filter((_, other) => other !== index);
}
