/** Random JSON Schemas and values for them, by a seed: the same in every run. */

export type Random = () => number;

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, count: number): number => Math.floor(random() * count);
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;
const chance = (random: Random, of: number): boolean => random() < of;

/** No `__proto__`, which ajv passes over, and no `toString`, by which it compares. */
const NAMES = ['a', 'b', 'isPrototypeOf', 'naïve', 'x1'];
const TEXTS = ['', 'a', 'ab', 'abc', '💩', '💩💩a', '2024-02-29', '2023-02-29', '127.0.0.1', 'x1', 'true', '7'];
/** None from 1e21 on: ajv takes the `1` of `1e+21` for the quotient of `multipleOf`. */
const NUMBERS = [0, -0, 1, -1, 1.5, 2, 3, 7, 10, 0.07, 1e15, -2.25];

const objectOf = (entries: readonly (readonly [string, unknown])[]): object => Object.fromEntries(entries);

const some = (random: Random, names: readonly string[]): string[] => names.filter(() => chance(random, 0.35));

export function randomSchema(random: Random, depth = 3): unknown {
  if (chance(random, 0.04)) return chance(random, 0.7);
  if (depth > 0 && chance(random, 0.2)) return combined(random, depth - 1);
  const type = pick(random, ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object', 'object', 'array', undefined]);
  const kinds = type === undefined ? some(random, ['string', 'number', 'array', 'object']) : [type];
  const schema = Object.assign({}, ...kinds.map((kind) => keywordsOf(random, kind, depth - 1))) as Record<string, unknown>;
  if (type !== undefined) schema['type'] = chance(random, 0.15) ? [...new Set([type, pick(random, ['null', 'string'])])] : type;
  if (chance(random, 0.08))
    schema['enum'] = [...new Set([pick(random, TEXTS), pick(random, NUMBERS.map(Math.abs)), null])].slice(0, 1 + below(random, 3));
  if (chance(random, 0.04)) schema['const'] = pick(random, [{ a: 1 }, [1, 'a'], 'a', 7, null]);
  return schema;
}

function combined(random: Random, depth: number): unknown {
  const list = (): unknown[] => Array.from({ length: 1 + below(random, 3) }, () => randomSchema(random, depth));
  switch (pick(random, ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'tagged'])) {
    case 'allOf':
      return { allOf: list() };
    case 'anyOf':
      return { anyOf: list() };
    case 'oneOf':
      return { oneOf: list() };
    case 'not':
      return { not: randomSchema(random, depth) };
    case 'if':
      return {
        if: randomSchema(random, depth),
        then: randomSchema(random, depth),
        ...(chance(random, 0.6) ? { else: randomSchema(random, depth) } : {}),
      };
    default:
      return {
        oneOf: ['ab', 'x1'].map((tag) => ({
          type: 'object',
          required: ['a'],
          properties: { a: { const: tag }, b: randomSchema(random, depth) },
        })),
      };
  }
}

function keywordsOf(random: Random, kind: string, depth: number): object {
  const maybe = <T>(name: string, make: () => T): object => (chance(random, 0.3) ? { [name]: make() } : {});
  const inner = (): unknown =>
    depth <= 0 ? pick(random, [{}, { type: 'string' }, { type: 'number' }, true]) : randomSchema(random, depth);
  switch (kind) {
    case 'string':
      return {
        ...maybe('minLength', () => below(random, 3)),
        ...maybe('maxLength', () => below(random, 4)),
        ...maybe('pattern', () => pick(random, ['^a', 'b$', '\\d', '^.$', '^\\p{L}+$'])),
        ...maybe('format', () => pick(random, ['date', 'ipv4', 'uuid', 'date-time'])),
      };
    case 'number':
    case 'integer':
      return {
        ...maybe('minimum', () => pick(random, NUMBERS)),
        ...maybe('maximum', () => pick(random, NUMBERS)),
        ...maybe('exclusiveMinimum', () => pick(random, NUMBERS)),
        ...maybe('exclusiveMaximum', () => pick(random, NUMBERS)),
        ...maybe('multipleOf', () => pick(random, [1, 2, 0.5, 3])),
      };
    case 'array':
      return {
        ...maybe('items', inner),
        // One of them: ajv lets `contains` of nothing pass beside `prefixItems`.
        ...(chance(random, 0.5) ? maybe('prefixItems', () => [inner(), inner()]) : maybe('contains', inner)),
        ...maybe('minItems', () => below(random, 3)),
        ...maybe('maxItems', () => below(random, 4)),
        ...maybe('uniqueItems', () => chance(random, 0.7)),
      };
    case 'object':
      return {
        ...maybe('properties', () => objectOf(some(random, NAMES).map((name) => [name, inner()]))),
        ...maybe('patternProperties', () => ({ [pick(random, ['^x', '1$', '^_'])]: inner() })),
        ...maybe('additionalProperties', () => (chance(random, 0.5) ? false : inner())),
        ...maybe('required', () => some(random, NAMES)),
        ...maybe('minProperties', () => below(random, 2)),
        ...maybe('maxProperties', () => below(random, 4)),
        ...maybe('propertyNames', () => pick(random, [{ maxLength: 8 }, { pattern: '^[a-z]' }])),
        ...maybe('dependentRequired', () => ({ a: some(random, ['b', 'x1']) })),
        ...maybe('dependentSchemas', () => ({ b: inner() })),
      };
    default:
      return {};
  }
}

export function randomValue(random: Random, depth = 3): unknown {
  const kind = below(random, depth > 0 ? 9 : 5);
  if (kind < 2) return pick(random, TEXTS);
  if (kind < 4) return pick(random, NUMBERS);
  if (kind === 4) return pick(random, [true, false, null]);
  if (kind < 7) return Array.from({ length: below(random, 4) }, () => randomValue(random, depth - 1));
  return objectOf(some(random, NAMES).map((name) => [name, randomValue(random, depth - 1)]));
}

/** One that the schema has a good chance to take. */
export function likelyValue(random: Random, schema: unknown, depth = 4): unknown {
  if (typeof schema !== 'object' || schema === null || depth === 0 || chance(random, 0.1)) return randomValue(random, 2);
  const known = schema as Record<string, never>;
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (known[key] !== undefined) return likelyValue(random, pick(random, known[key]), depth - 1);
  if (known['const'] !== undefined) return known['const'];
  if (known['enum'] !== undefined) return pick(random, known['enum']);
  const type: unknown = Array.isArray(known['type']) ? pick(random, known['type']) : known['type'];
  if (type === 'string') return pick(random, TEXTS);
  if (type === 'number') return pick(random, NUMBERS);
  if (type === 'integer') return pick(random, [0, 1, 2, 3, 7, 10]);
  if (type === 'boolean') return chance(random, 0.5);
  if (type === 'null') return null;
  if (type === 'array') {
    const places: readonly unknown[] = known['prefixItems'] ?? [];
    return Array.from({ length: below(random, 4) }, (_, at) => likelyValue(random, places[at] ?? known['items'] ?? true, depth - 1));
  }
  if (type !== 'object') return randomValue(random, 2);
  const names = [...new Set([...((known['required'] as readonly string[] | undefined) ?? []), ...some(random, NAMES)])];
  const properties: Record<string, unknown> = known['properties'] ?? {};
  return objectOf(names.map((name) => [name, likelyValue(random, Object.hasOwn(properties, name) ? properties[name] : true, depth - 1)]));
}
