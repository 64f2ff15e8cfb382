/**
 * Replaces functions of the platform by ones that do the same and look at every memory that passes: as
 * tracers do, and as an application could on purpose. Memory in which a client's bytes are is kept, and at
 * times written over or given away.
 */
import { clientsIn, FILL } from '../harness/marks.ts';
import { checkMemory, count, isOwned, keep } from './evidence.ts';
import { apply, fillAll, isMemory, isView, type Memory, textOf, viewOf } from './native-parts.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Holder = Record<PropertyKey, unknown>;

const { defineProperty, getOwnPropertyDescriptor } = Object;
const clone = structuredClone;
const seen = new WeakSet<Memory>();
let busy = false;
let turn = 0;

/**
 * What several clients' bytes go through is larger than this; smaller memory without a client's bytes is not
 * kept.
 */
const SHARED_BYTES_MIN = 16 * 1024;
/** Every third memory is left alone, written over, or given away. */
const WAYS = 3;

function see(value: unknown): void {
  const memory = isView(value) ? value.buffer : value;
  if (!isMemory(memory) || isOwned(memory) || seen.has(memory)) return;
  if (memory.byteLength === 0) return;
  const clients = clientsIn(textOf(viewOf(memory)));
  if (clients.size === 0) {
    // A slab or an arena that nothing came through yet: it is looked at again.
    seen.add(memory);
    if (memory.byteLength >= SHARED_BYTES_MIN) keep('patched function', memory);
    return;
  }
  seen.add(memory);
  count('seen by patches');
  if (!checkMemory('patched function', memory)) return;
  keep('patched function', memory);
  turn += 1;
  try {
    if (turn % WAYS === 1) fillAll(viewOf(memory), FILL);
    if (turn % WAYS === 2 && memory instanceof ArrayBuffer) keep('patched function', clone(memory, { transfer: [memory] }));
  } catch {
    count('patched function: refused');
  }
}

function seeAll(self: unknown, args: readonly unknown[], result: unknown): void {
  if (busy) return;
  busy = true;
  try {
    see(self);
    for (let i = 0; i < args.length; i += 1) see(args[i]);
    see(result);
  } finally {
    busy = false;
  }
}

/**
 * Their results hold what the allocator was given back before, of whichever client: so they do in stock Node.
 */
const UNFILLED: ReadonlySet<string> = new Set(['Buffer.allocUnsafe', 'Buffer.allocUnsafeSlow']);

function wrapped(original: AnyFunction, isUnfilled: boolean): AnyFunction {
  return function (this: unknown, ...args: unknown[]): unknown {
    const result = apply(original, this, args) as unknown;
    if (isUnfilled && result instanceof Uint8Array) fillAll(result, 0);
    seeAll(this, args, result);
    return result;
  };
}

const HOLDERS: Readonly<Record<string, object>> = {
  'Buffer.prototype': Buffer.prototype,
  'Uint8Array.prototype': Uint8Array.prototype,
  'Function.prototype': Function.prototype,
  'Array.prototype': Array.prototype,
  Buffer,
};

/** A class of the application's own, in which `subarray`, `slice` and `map` make their results. */
function patchSpecies(): void {
  const typed = Object.getPrototypeOf(Uint8Array) as object;
  for (const holder of [Uint8Array, Buffer, typed]) {
    defineProperty(holder, Symbol.species, {
      configurable: true,
      get(this: unknown) {
        return function species(this: unknown, ...args: unknown[]): unknown {
          seeAll(undefined, args, undefined);
          return Reflect.construct(Uint8Array, args, Buffer);
        };
      },
    });
  }
}

/** Installs the patch of this name, such as `Buffer.prototype.copy`. */
export function patch(name: string): void {
  if (name === 'Symbol.species') {
    patchSpecies();
    return;
  }
  const dot = name.lastIndexOf('.');
  const holder = HOLDERS[name.slice(0, dot)] as Holder;
  const key = name.slice(dot + 1);
  const original = holder[key] as AnyFunction;
  const { enumerable = false } = getOwnPropertyDescriptor(holder, key) ?? {};
  defineProperty(holder, key, { value: wrapped(original, UNFILLED.has(name)), writable: true, configurable: true, enumerable });
}
