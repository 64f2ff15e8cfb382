/**
 * Counts what `fulmar run` loads until the first reply: our files and the application's, Node's own modules,
 * bytes of JavaScript.
 */
import { withServer } from './server.mjs';

const programs = ['express-hello', 'koa-hello', 'http-hello'];
const kinds = ['files', 'builtins', 'script-bytes'];

/** The gate of what a start loads on `node` (`{ path, version, major }`). */
export function startUpGate(node) {
  const id = (program, kind) => `start.${program}.${kind}@node${node.major}`;
  return {
    name: `start-up, Node ${node.version}`,
    ids: programs.flatMap((program) => kinds.map((kind) => id(program, kind))),
    toolchain: `node ${node.version}`,
    unavailable: undefined,
    measure: async () => {
      const values = new Map();
      for (const program of programs) {
        const { files, builtins, bytes } = await loaded(node, `${program}.cjs`);
        values.set(id(program, 'files'), files.length);
        values.set(id(program, 'builtins'), builtins);
        values.set(id(program, 'script-bytes'), bytes);
      }
      return values;
    },
  };
}

/** Includes what the first request loads: a cold start ends with the first reply. */
export function loaded(node, program) {
  return withServer({ node: node.path, program, probe: 'modules' }, async ({ ask, signal }) => {
    await ask(1);
    return signal();
  });
}
