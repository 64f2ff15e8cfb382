/**
 * What packages that compress replies get as `zlib` under `fulmar run`: Node's, but for `createGzip` and `createDeflate`.
 *
 * Loaded when such a package is. Never given to code of the application, nor to other packages.
 */
import zlib, { type ZlibOptions } from 'node:zlib';
import type { NodeStream, NodeStreamClass } from './node-stream.ts';
import { extend } from './streams.ts';

type Factory = (options?: ZlibOptions) => NodeStream;

/** Like the function of that name of Node's, with streams of ours. */
function factory(name: 'createGzip' | 'createDeflate', base: NodeStreamClass): Factory {
  const { [name]: original } = zlib;
  let made: NodeStreamClass | null | undefined;
  return (options) => {
    // Somebody has put their own function there, to watch or to change what is made.
    if (zlib[name] !== original) return zlib[name](options) as unknown as NodeStream;
    made ??= made === undefined ? (extend(base, name === 'createGzip') ?? null) : null;
    return made === null ? (original(options) as unknown as NodeStream) : new made(options);
  };
}

const { Gzip, Deflate } = zlib as unknown as Readonly<Record<'Gzip' | 'Deflate', NodeStreamClass>>;
const toMember = (value: Factory): PropertyDescriptor => ({ value, writable: true, enumerable: true, configurable: true });

/** Its prototype is Node's module: what is put there later is found here. */
export default Object.create(zlib, {
  createGzip: toMember(factory('createGzip', Gzip)),
  createDeflate: toMember(factory('createDeflate', Deflate)),
}) as typeof zlib;
