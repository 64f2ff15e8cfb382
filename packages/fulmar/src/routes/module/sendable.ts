/**
 * What is wrong with a value that a file exports as its reply, and with a function that it exports as a handler: told
 * when the file is read, not with each request.
 */

/** Undefined: nothing. */
export function whyNotSent(value: unknown): string | undefined {
  if (value === undefined) return 'is undefined: does its module import itself, by way of others?';
  if (typeof value === 'symbol') return 'is a symbol, which cannot be sent';
  if (typeof value !== 'object' || value === null) return undefined;
  if (isOnce(value)) return 'can be sent once: export a function that makes one for each request';
  if (value instanceof Map || value instanceof Set) return `is a ${value.constructor.name}, which JSON has no form of`;
  const hidden = Object.entries(value).find(([, member]) => typeof member === 'function' || typeof member === 'symbol');
  if (hidden !== undefined)
    return `has ${hidden[0]}, a ${typeof hidden[1]}, which JSON leaves out: export handlers by the names of their methods, or a function that returns the value`;
  return whyNoJson(value);
}

/** Undefined: nothing. */
export const whyNoHandler = (handler: Function): string | undefined =>
  /^class\b/.test(Function.prototype.toString.call(handler)) ? 'is a class: export a function (c)' : undefined;

/** Content that is gone when it was read. Bytes are not, and neither are lists. */
function isOnce(value: object): boolean {
  if (value instanceof Response || value instanceof ReadableStream || Symbol.asyncIterator in value) return true;
  return ['next', 'pipe'].some((name) => typeof Reflect.get(value, name) === 'function');
}

function whyNoJson(value: object): string | undefined {
  if (ArrayBuffer.isView(value)) return undefined;
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return `cannot be written as JSON: ${(error as Error).message.split('\n')[0]}`;
  }
}
