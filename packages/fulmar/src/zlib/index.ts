/**
 * What packages that compress replies get as `zlib` under `fulmar run`: Node's, but for `createGzip` and
 * `createDeflate`.
 *
 * Loaded when such a package is. Never given to code of the application, nor to other packages.
 */
import zlib, { type ZlibOptions } from 'node:zlib';
import type { NodeStream, NodeStreamClass } from './node-stream.ts';
import { extend } from './streams.ts';

type Factory = (options?: ZlibOptions) => NodeStream;

/**
 * Node's makers of streams read like this; another is somebody's who watches or changes what is made, from
 * before this file was loaded.
 */
const OWN_MAKER = /^function\s*\(options\)\s*\{\s*return new ctor\(options\);\s*\}$/;
const isOwnMaker = (maker: unknown): boolean => typeof maker === 'function' && OWN_MAKER.test(Function.prototype.toString.call(maker));

/** Like the function of that name of Node's, with streams of ours. */
function factory(name: 'createGzip' | 'createDeflate', base: NodeStreamClass): Factory {
  const { [name]: original } = zlib;
  let made: NodeStreamClass | null | undefined = isOwnMaker(original) ? undefined : null;
  return (options) => {
    // Somebody has put their own function there since.
    if (zlib[name] !== original) return zlib[name](options) as unknown as NodeStream;
    if (made === undefined) made = extend(base, name === 'createGzip') ?? null;
    return made === null ? (original(options) as unknown as NodeStream) : new made(options);
  };
}

const { Gzip, Deflate } = zlib as unknown as Readonly<Record<'Gzip' | 'Deflate', NodeStreamClass>>;

const members: PropertyDescriptorMap = {};
/**
 * All names are own ones, as of a module: who copies them has them all. What they stand for is Node's at the
 * time.
 */
for (const name of Object.keys(zlib) as (keyof typeof zlib)[]) {
  const set = (value: unknown): void => void Reflect.set(zlib, name, value);
  members[name] = { get: () => zlib[name], set, enumerable: true, configurable: true };
}
const toMember = (value: Factory): PropertyDescriptor => ({ value, writable: true, enumerable: true, configurable: true });

/** Its prototype is Node's module: what is put there later is found here. */
export default Object.create(zlib, {
  ...members,
  createGzip: toMember(factory('createGzip', Gzip)),
  createDeflate: toMember(factory('createDeflate', Deflate)),
}) as typeof zlib;
