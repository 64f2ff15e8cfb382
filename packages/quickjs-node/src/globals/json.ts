/**
 * `JSON.parse` with V8's messages: QuickJS parses, and only for what it refuses V8's words are looked for.
 */
import later from 'fulmar:later';

type Parse = typeof JSON.parse;

export function installJson(): void {
  const native = JSON.parse;
  const parse = {
    parse(text: string, reviver?: Parameters<Parse>[1]): unknown {
      try {
        return native(text, reviver);
      } catch (error) {
        throw described(text, error);
      }
    },
  }.parse;
  Object.defineProperty(JSON, 'parse', { value: parse, writable: true, enumerable: false, configurable: true });
}

/** An error that the text's `toString` or the reviver threw stays as it is. */
function described(text: unknown, error: unknown): unknown {
  if (!(error instanceof SyntaxError) || typeof text !== 'string') return error;
  const message = later<typeof import('./json-errors.later.ts')>().describe(text);
  return message === undefined ? error : new SyntaxError(message);
}
