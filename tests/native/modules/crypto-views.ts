/**
 * Everything that plain JavaScript can make of the bytes that are given to `node:crypto`, for
 * `crypto-views.cases.ts`. Those that claim to hold more than they do are in `tests/native/views`: Node ends
 * the process for most of them.
 */

/**
 * A value whose own bytes are `content`, or none; undefined where there is no such value of so many bytes.
 */
export type Kind = (content: Uint8Array) => unknown;

const GUARD = 8;
const FOREIGN = 0xaa;
const ODD = 3;

/** `content` in the middle of other bytes. */
function within<T extends ArrayBufferLike>(memory: T, content: Uint8Array, at = GUARD): T {
  new Uint8Array(memory).fill(FOREIGN).set(content, at);
  return memory;
}
const arena = (content: Uint8Array, at = GUARD): ArrayBuffer => within(new ArrayBuffer(content.length + 2 * GUARD), content, at);
const view = (content: Uint8Array, at = GUARD): Uint8Array => new Uint8Array(arena(content, at), at, content.length);

type Wide = new (memory: ArrayBuffer, offset: number, length: number) => ArrayBufferView;
const wide =
  (Class: Wide & { readonly BYTES_PER_ELEMENT: number }): Kind =>
  (content) => {
    if (content.length % Class.BYTES_PER_ELEMENT !== 0) return undefined;
    return new Class(arena(content), GUARD, content.length / Class.BYTES_PER_ELEMENT);
  };

const resizable = (bytes: number): ArrayBuffer =>
  new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(bytes, { maxByteLength: bytes + 1024 });
const resize = (memory: ArrayBuffer, bytes: number): void => (memory as unknown as { resize(bytes: number): void }).resize(bytes);

/** A view of a buffer that has another length by now: it follows, or lies outside. */
function resized(content: Uint8Array, before: number, after: number, isFixed = false): Uint8Array {
  const memory = resizable(GUARD + before);
  const made = isFixed ? new Uint8Array(memory, GUARD, before) : new Uint8Array(memory, GUARD);
  resize(memory, GUARD + after);
  if (!isFixed) made.set(content);
  return made;
}

function detached<T extends { readonly buffer: ArrayBufferLike }>(made: T): T {
  structuredClone(made.buffer, { transfer: [made.buffer as ArrayBuffer] });
  return made;
}

const own = (value: object, members: Record<PropertyKey, unknown>): object => {
  for (const key of Reflect.ownKeys(members)) Object.defineProperty(value, key, { value: members[key as string], configurable: true });
  return value;
};

export const views: Readonly<Record<string, Kind>> = {
  'a view at an odd offset': (content) => view(content, ODD),
  'a DataView': (content) => new DataView(arena(content, ODD), ODD, content.length),
  'a Uint16Array': wide(Uint16Array),
  'a Float64Array': wide(Float64Array),
  'a BigInt64Array': wide(BigInt64Array),
  'a view of shared memory': (content) =>
    new Uint8Array(within(new SharedArrayBuffer(content.length + 2 * GUARD), content), GUARD, content.length),
  'a view that follows a buffer that shrank': (content) => resized(content, content.length + GUARD, content.length),
  'a view that follows a buffer that grew': (content) => resized(content, 0, content.length),
  'a view outside a buffer that shrank': (content) => resized(content, content.length, content.length - 1, true),
  'a view of a detached buffer': (content) => detached(view(content)),
  'a DataView of a detached buffer': (content) => detached(new DataView(arena(content), GUARD, content.length)),
  'an empty view': () => new Uint8Array(0),
  'an empty DataView': () => new DataView(new ArrayBuffer(GUARD), ODD, 0),
  'an empty Float64Array': () => new Float64Array(0),
  'a view that says it is another': (content) => own(view(content), { [Symbol.toStringTag]: 'Float64Array' }),
  'a DataView that says it is an array': (content) =>
    own(new DataView(arena(content), GUARD, content.length), { [Symbol.toStringTag]: 'Uint8Array' }),
  'a subclass': (content) => new (class Other extends Uint8Array {})(arena(content), GUARD, content.length),
};

/** Claims of Node's own JavaScript sees, where its C++ sees the truth. */
export const liars: Readonly<Record<string, Kind>> = {
  'a view that claims to be shorter': (content) => own(view(content), { byteLength: 4, length: 4 }),
  'a view that claims to begin earlier': (content) => own(view(content), { byteOffset: 0 }),
  'a view that claims other memory': (content) => own(view(content), { buffer: new ArrayBuffer(1024) }),
};

export const others: Readonly<Record<string, Kind>> = {
  'a buffer': (content) => content.slice().buffer,
  'a shared buffer': (content) => within(new SharedArrayBuffer(content.length), content, 0),
  'a buffer that shrank': (content) => {
    const memory = resizable(content.length + GUARD);
    resize(memory, content.length);
    return within(memory, content, 0);
  },
  'a detached buffer': (content) => {
    const { buffer } = content.slice();
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
  },
  'an object that looks like a view': (content) => ({
    buffer: arena(content),
    byteOffset: GUARD,
    byteLength: content.length,
    length: content.length,
  }),
  'an object that says it is a view': () => ({ [Symbol.toStringTag]: 'Uint8Array' }),
  'an object that inherits from a view': (content) => Object.create(view(content)) as unknown,
};
