// What plain JavaScript can do to a view. Each kind gives a value whose own bytes are `content` (or none),
// between bytes that do not belong to it and must be neither read nor written.

/**
 * What the runtime has to do: as with an ordinary array of the same bytes, as with an empty one, or throw a
 * `TypeError`.
 */
export type Expected = 'same' | 'empty' | 'refused';

export interface Made {
  readonly value: unknown;
  readonly expected: Expected;
  /** The view's own bytes as they are now. */
  own(): Uint8Array;
  /** Throws when bytes around the view have changed. */
  check(): void;
}

/** Undefined where there is no such value of so many bytes. */
export type Kind = (content: Uint8Array) => Made | undefined;

const GUARD = 64;
const FOREIGN = 0xaa;

interface Arena {
  readonly memory: ArrayBuffer | SharedArrayBuffer;
  own(): Uint8Array;
  check(): void;
}

/** Memory with `content` in the middle. */
function arena(content: Uint8Array, memory: ArrayBuffer | SharedArrayBuffer = new ArrayBuffer(content.length + 2 * GUARD)): Arena {
  const all = new Uint8Array(memory);
  all.fill(FOREIGN).set(content, GUARD);
  const own = (): Uint8Array => new Uint8Array(memory, GUARD, content.length);
  const check = (): void => {
    const now = new Uint8Array(memory);
    for (const [at, byte] of now.entries()) {
      if ((at < GUARD || at >= GUARD + content.length) && byte !== FOREIGN) throw new Error(`byte ${at - GUARD} of the view, which has ${content.length}, was written`);
    }
  };
  return { memory, own, check };
}

const made = (value: unknown, { own, check }: Arena, expected: Expected = 'same'): Made => ({ value, expected, own, check });

/** Claims to begin earlier and to be longer, in memory of its own. */
function lying(view: ArrayBufferView, bytes: number): ArrayBufferView {
  for (const [name, value] of Object.entries({ byteLength: bytes + GUARD, byteOffset: GUARD / 2, length: bytes + GUARD })) {
    Object.defineProperty(view, name, { value, configurable: true });
  }
  return view;
}

const far = (view: ArrayBufferView): ArrayBufferView =>
  Object.defineProperties(view, {
    buffer: { value: new ArrayBuffer(8) },
    byteOffset: { value: 2 ** 40 },
    byteLength: { value: 2 ** 31 },
    length: { value: 2 ** 31 },
  });

type View = new (memory: ArrayBufferLike, offset?: number, length?: number) => ArrayBufferView;
const classes = [
  Uint8Array,
  Uint8ClampedArray,
  Int8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  (globalThis as unknown as { Float16Array: typeof Float32Array }).Float16Array,
] as unknown as readonly (View & { readonly name: string; readonly BYTES_PER_ELEMENT: number })[];

/** A view of the content as each class sees it. */
function typed(Class: (typeof classes)[number], change: (view: ArrayBufferView, bytes: number) => ArrayBufferView): Kind {
  return (content) => {
    if (content.length % Class.BYTES_PER_ELEMENT !== 0) return undefined;
    const there = arena(content);
    return made(change(new Class(there.memory, GUARD, content.length / Class.BYTES_PER_ELEMENT), content.length), there);
  };
}

const data = (there: Arena, bytes: number): DataView => new DataView(there.memory, GUARD, bytes);

function inherited(Base: View): View {
  return class extends Base {
    override get buffer(): ArrayBuffer {
      return new ArrayBuffer(4 * GUARD);
    }
    override get byteOffset(): number {
      return GUARD / 2;
    }
    override get byteLength(): number {
      return 2 * GUARD;
    }
    get length(): number {
      return 2 * GUARD;
    }
  } as unknown as View;
}

const resizable = (bytes: number): ArrayBuffer =>
  new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(bytes, { maxByteLength: bytes + 4 * GUARD });
const resize = (memory: ArrayBufferLike, bytes: number): void => (memory as unknown as { resize(bytes: number): void }).resize(bytes);
export const transfer = (memory: ArrayBufferLike, bytes?: number): ArrayBuffer =>
  (memory as unknown as { transfer(bytes?: number): ArrayBuffer }).transfer(bytes);

/** A view whose buffer has another length by now. `before` is what it began with behind the guard. */
const resized =
  (Class: View, before: (bytes: number) => number, after: (bytes: number) => number, length?: (bytes: number) => number): Kind =>
  (content) => {
    const memory = resizable(GUARD + before(content.length));
    const view = new Class(memory, GUARD, length?.(content.length));
    resize(memory, GUARD + after(content.length));
    const isOutside = length !== undefined && after(content.length) < length(content.length);
    if (isOutside) return made(view, { memory, own: () => new Uint8Array(0), check: () => {} }, 'empty');
    const all = new Uint8Array(memory).fill(FOREIGN);
    all.set(content, GUARD);
    const own = (): Uint8Array => new Uint8Array(memory, GUARD, content.length);
    return made(view, { memory, own, check: () => {} });
  };

/** The memory is somebody else's by now. */
const detached =
  (view: (there: Arena, bytes: number) => unknown): Kind =>
  (content) => {
    const there = arena(content);
    const value = view(there, content.length);
    const now = arena(content, transfer(there.memory));
    return made(value, { ...now, own: () => new Uint8Array(0) }, 'empty');
  };

const refused =
  (value: (content: Uint8Array, there: Arena) => unknown): Kind =>
  (content) => {
    const there = arena(content);
    return made(value(content, there), there, 'refused');
  };

const eight = (there: Arena, bytes: number): Uint8Array => new Uint8Array(there.memory, GUARD, bytes);

export const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(classes.map((Class) => [Class.name, typed(Class, (view) => view)])),
  ...Object.fromEntries(classes.map((Class) => [`${Class.name} that lies about its length`, typed(Class, lying)])),
  'Uint8Array that lies about its buffer': typed(classes[0] as never, far),
  'Uint32Array that lies about its buffer': typed(Uint32Array as never, far),
  DataView: (content) => {
    const there = arena(content);
    return made(data(there, content.length), there);
  },
  'DataView that lies about its length': (content) => {
    const there = arena(content);
    return made(lying(data(there, content.length), content.length), there);
  },
  'DataView that lies about its buffer': (content) => {
    const there = arena(content);
    return made(far(data(there, content.length)), there);
  },
  'subclass of Uint8Array with getters': (content) => {
    const there = arena(content);
    return made(new (inherited(Uint8Array as never))(there.memory, GUARD, content.length), there);
  },
  'subclass of DataView with getters': (content) => {
    const there = arena(content);
    return made(new (inherited(DataView as never))(there.memory, GUARD, content.length), there);
  },
  'Uint8Array of shared memory': (content) => {
    const there = arena(content, new SharedArrayBuffer(content.length + 2 * GUARD));
    return made(eight(there, content.length), there);
  },
  'Uint8Array of shared memory that grew': (content) => {
    const memory = new (SharedArrayBuffer as unknown as new (bytes: number, options: object) => SharedArrayBuffer)(1, {
      maxByteLength: content.length + 2 * GUARD,
    });
    const view = new Uint8Array(memory);
    (memory as unknown as { grow(bytes: number): void }).grow(content.length);
    view.set(content);
    return { value: view, expected: 'same', own: () => new Uint8Array(memory), check: () => {} };
  },
  'Uint8Array that follows a buffer that shrank': resized(Uint8Array as never, (n) => n + 2 * GUARD, (n) => n),
  'Uint8Array that follows a buffer that grew': resized(Uint8Array as never, () => 0, (n) => n),
  'DataView that follows a buffer that shrank': resized(DataView as never, (n) => n + 2 * GUARD, (n) => n),
  'DataView that follows a buffer that grew': resized(DataView as never, () => 0, (n) => n),
  'Uint8Array outside a buffer that shrank': resized(Uint8Array as never, (n) => n + 8, (n) => n - 1, (n) => n),
  'DataView outside a buffer that shrank': resized(DataView as never, (n) => n + 8, (n) => n - 1, (n) => n),
  'Uint8Array of a detached buffer': detached(eight),
  'DataView of a detached buffer': detached(data),
  'Uint8Array of a detached buffer that lies': detached((there, bytes) => lying(eight(there, bytes), bytes)),
  'object that looks like a view': refused((content, { memory }) => ({ buffer: memory, byteOffset: GUARD / 2, byteLength: content.length, length: content.length })),
  'proxy of a view': refused((content, there) => new Proxy(eight(there, content.length), {})),
  'object that inherits from a view': refused((content, there) => Object.create(eight(there, content.length)) as unknown),
};
