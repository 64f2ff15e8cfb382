/**
 * Counts what one request of the Express hello path allocates in V8's heap, in objects and in bytes, once the
 * code is optimised.
 */
import { withServer } from './server.mjs';

const program = 'express-hello.cjs';
/** By then V8 has optimised everything on the path. */
const warmUpRequests = 20_000;
const requests = 5_000;
/** Objects are counted through a profiler that keeps each of them: fewer will do. */
const profiledRequests = 2_000;
/**
 * A young generation that no measured run fills: nothing is collected while it counts. One thread, so that
 * optimised code arrives after the same request each time. Each allocation is sampled, without the sampler's
 * usual dice.
 */
const flags = [
  '--expose-gc',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--single-threaded',
  '--sampling-heap-profiler-suppress-randomness',
];

/** The gate of what V8 allocates on `node` (`{ path, version, major }`). */
export function heapGate(node) {
  const id = (kind) => `express-hello.${kind}@node${node.major}`;
  return {
    name: `heap, Node ${node.version}`,
    ids: [id('heap-bytes'), id('heap-objects')],
    toolchain: `node ${node.version}`,
    unavailable: undefined,
    measure: async () => {
      const { bytes } = await between(node, 'heap', requests);
      const { objects } = await between(node, 'objects', profiledRequests);
      return new Map([
        [id('heap-bytes'), Math.round(bytes / requests)],
        [id('heap-objects'), Math.round((objects / profiledRequests) * 10) / 10],
      ]);
    },
  };
}

/** What the probe says about `count` requests between two signals. */
function between(node, probe, count) {
  return withServer({ node: node.path, program, probe, flags }, async ({ ask, signal }) => {
    await ask(warmUpRequests);
    await signal();
    await ask(count);
    return signal();
  });
}
