/** Values as JavaScript: what shapes hold is written into the code that is made of them. */

/** An expression whose value is `value`: plain data, `bigint` and `undefined` included. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  if (typeof value === 'bigint') return value < 0n ? `(${value}n)` : `${value}n`;
  if (typeof value === 'number') return numberLiteral(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const members = Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [`${keyOf(key)}: ${literal(member)}`]));
  return `{ ${members.join(', ')} }`;
}

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value < 0 || Object.is(value, -0) ? `(${Object.is(value, -0) ? '-0' : String(value)})` : String(value);
}

/** A key of an object literal. `__proto__` in brackets is a member like any other. */
export function keyOf(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z$_][\w$]*$/.test(name) ? name : literal(name);
}

/** `value.name`, where the object may have inherited a member of that name from `Object.prototype`: `own` is asked. */
export function memberOf(value: string, name: string, own: () => string): string {
  if (name in Object.prototype) return `${own()}(${value}, ${literal(name)})`;
  return /^[A-Za-z$_][\w$]*$/.test(name) ? `${value}.${name}` : `${value}[${literal(name)}]`;
}
