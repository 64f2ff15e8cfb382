/**
 * Module hooks behind `ts-register.mjs`: strip the types of .ts files with oxc-transform, keep source maps.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'oxc-transform';

/** As controllers have them, which are tested with classes of their own. */
const DECORATORS = { legacy: true, emitDecoratorMetadata: true };

/** The `load` hook, synchronous so that both kinds of registration can use it. */
export function loadTypeScript(url, context, nextLoad) {
  if (!url.startsWith('file:') || !/\.m?ts$/.test(url)) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), { sourcemap: true, decorator: DECORATORS });
  if (errors.length > 0) throw new SyntaxError(errors.map((e) => e.codeframe ?? e.message).join('\n'));
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  return {
    format: 'module',
    shortCircuit: true,
    source: `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`,
  };
}

export async function load(url, context, nextLoad) {
  return loadTypeScript(url, context, nextLoad);
}
