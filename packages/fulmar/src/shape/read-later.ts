/** Values that cannot be written at once, whatever the form: their bytes or items are read later. */

/** Files, streams, generators: as objects they would be empty. */
export function isReadLater(value: object): boolean {
  if (Object.getPrototypeOf(value) === Object.prototype) return false;
  // QuickJS loads the class with its first use.
  return Symbol.asyncIterator in value || 'getReader' in value || ('arrayBuffer' in value && value instanceof Blob);
}

export const readLater = (): TypeError => new TypeError('files and streams are sent as parameters, with fulmar/client/parts');
