/**
 * Rules of tags and of JSDoc, laid upon a shape: which kind of shape each is for and what its value must be.
 * Changes no shape: gives a new one, or what is wrong with the rule.
 */
import type { Shape } from '../../../fulmar/src/shape/shape.ts';

type Fields = Readonly<Record<string, unknown>>;
type Rule = (value: unknown, shape: Shape) => Fields | undefined;

const count: (name: string) => Rule = (name) => (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? { [name]: value } : undefined;
const real: (name: string) => Rule = (name) => (value) =>
  typeof value === 'number' && Number.isFinite(value) ? { [name]: value } : undefined;
const bound: (name: string) => Rule = (name) => (value, shape) => {
  if (shape.kind === 'number') return real(name)(value, shape);
  if (shape.kind !== 'bigint' || name.startsWith('exclusive')) return undefined;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
  return typeof value === 'bigint' || typeof value === 'number' ? { [name]: BigInt(value) } : undefined;
};

interface RuleOfKinds {
  readonly kinds: readonly Shape['kind'][];
  /** What its value is, for messages. */
  readonly takes: string;
  readonly rule: Rule;
}

const RULES: Readonly<Record<string, RuleOfKinds>> = {
  minLength: { kinds: ['string'], takes: 'a length', rule: count('minLength') },
  maxLength: { kinds: ['string'], takes: 'a length', rule: count('maxLength') },
  minItems: { kinds: ['array', 'tuple'], takes: 'a length', rule: count('minItems') },
  maxItems: { kinds: ['array', 'tuple'], takes: 'a length', rule: count('maxItems') },
  uniqueItems: { kinds: ['array', 'tuple'], takes: 'true', rule: (value) => (value === true ? { unique: true } : undefined) },
  minimum: { kinds: ['number', 'bigint'], takes: 'a number', rule: bound('minimum') },
  maximum: { kinds: ['number', 'bigint'], takes: 'a number', rule: bound('maximum') },
  exclusiveMinimum: { kinds: ['number'], takes: 'a number', rule: bound('exclusiveMinimum') },
  exclusiveMaximum: { kinds: ['number'], takes: 'a number', rule: bound('exclusiveMaximum') },
  multipleOf: {
    kinds: ['number'],
    takes: 'a number above zero',
    rule: (value, shape) => ((value as number) > 0 ? real('multipleOf')(value, shape) : undefined),
  },
  integer: { kinds: ['number'], takes: 'true', rule: (value) => (value === true ? { integer: true } : undefined) },
  pattern: { kinds: ['string'], takes: 'a regular expression', rule: patternRule },
  format: {
    kinds: ['string'],
    takes: 'the name of a format',
    rule: (value) => (typeof value === 'string' ? { format: value } : undefined),
  },
  unknownKeys: {
    kinds: ['object'],
    takes: "'keep', 'strip' or 'reject'",
    rule: (value) => (value === 'keep' || value === 'strip' || value === 'reject' ? { unknown: value } : undefined),
  },
};

/** Length means characters of a text, items of an array, members of a set: `MinLength` and `NonEmpty` say it of all. */
const OF_LENGTH: Readonly<Record<string, readonly (readonly [kind: Shape['kind'], field: string])[]>> = {
  minLength: [
    ['array', 'minItems'],
    ['tuple', 'minItems'],
    ['set', 'minSize'],
    ['map', 'minSize'],
    ['bytes', 'minBytes'],
  ],
  maxLength: [
    ['array', 'maxItems'],
    ['tuple', 'maxItems'],
    ['set', 'maxSize'],
    ['map', 'maxSize'],
    ['bytes', 'maxBytes'],
  ],
};

export const ruleNames: readonly string[] = [...Object.keys(RULES), 'default'];

export type Ruled = { readonly shape: Shape } | { readonly wrong: string };

/** `shape` under the rule `name`; in a union it is for the members that it fits. */
export function withRule(shape: Shape, name: string, value: unknown): Ruled {
  if (name === 'default') return { shape: { ...shape, default: { value } } };
  const found = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (found === undefined) return { wrong: `has an unknown rule ${name}` };
  if (shape.kind === 'union') return onUnion(shape, name, value);
  const other = OF_LENGTH[name]?.find(([kind]) => kind === shape.kind);
  const fields =
    other !== undefined ? count(other[1])(value, shape) : found.kinds.includes(shape.kind) ? found.rule(value, shape) : undefined;
  if (fields !== undefined) return { shape: merged(shape, fields) };
  const fits = other !== undefined || found.kinds.includes(shape.kind);
  if (fits) return { wrong: `has ${name} with a value that is not ${found.takes}: ${show(value)}` };
  return {
    wrong: `has ${name}, which is for ${found.kinds.join(' and ')}, and it is ${shape.kind === 'reference' ? 'a named type' : shape.kind}`,
  };
}

function onUnion(shape: Shape & { kind: 'union' }, name: string, value: unknown): Ruled {
  const tried = shape.members.map((member) => withRule(member, name, value));
  if (!tried.some((one) => 'shape' in one)) return tried[0] ?? { wrong: `has ${name} and no members` };
  return { shape: { ...shape, members: tried.map((one, at) => ('shape' in one ? one.shape : (shape.members[at] as Shape))) } };
}

/** Patterns are all to be found. Of two bounds the narrower one holds: one may come from a tag, one from JSDoc. */
function merged(shape: Shape, fields: Fields): Shape {
  const before = shape as unknown as Fields;
  const [[name, value] = ['', undefined]] = Object.entries(fields);
  const old = before[name];
  if (name === 'patterns' && Array.isArray(old))
    return { ...before, patterns: [...(old as unknown[]), ...(value as unknown[])] } as unknown as Shape;
  const isNarrower = /^(?:min|exclusiveMin)/.test(name) ? (old as number) > (value as number) : (old as number) < (value as number);
  if (old !== undefined && /^(?:min|max|exclusiveM)/.test(name) && isNarrower) return shape;
  return { ...before, ...fields } as unknown as Shape;
}

function patternRule(value: unknown): Fields | undefined {
  if (typeof value !== 'string') return undefined;
  for (const flags of ['u', '']) {
    try {
      void new RegExp(value, flags);
      return { patterns: [{ source: value, flags }] };
    } catch {
      // Without the flag it may be one: `\-` is an escape there.
    }
  }
  return undefined;
}

const show = (value: unknown): string => (typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'no literal'));
