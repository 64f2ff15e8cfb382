/**
 * JSON of what a handler returns. What JSON cannot say is an error that names its place.
 */

/** @throws TypeError for a bigint and for a value that leads back to itself, with the path to it */
export function toJson(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw explained(value, error);
  }
  throw new TypeError(`JSON has no form of a ${typeof value}: return an object, an array, a string, a number, a boolean or null.`);
}

function explained(value: unknown, error: TypeError): TypeError {
  const found = trouble(value, '$', []);
  return found === undefined ? error : new TypeError(found, { cause: error });
}

function trouble(value: unknown, path: string, above: readonly unknown[]): string | undefined {
  if (typeof value === 'bigint')
    return `JSON has no form of a bigint, and ${path} is one: return it as a string (String(value)) or as a number.`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return `JSON cannot say that ${path} is an object that contains it.`;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = trouble(member, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, [...above, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}
