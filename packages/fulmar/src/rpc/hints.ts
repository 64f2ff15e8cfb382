/**
 * Hints of a result whose type is known: of the text that the type's encoder writes, what its parts were. Never looks at
 * members that the type does not name, which are not sent. Values that always have the same hints, as most have, share
 * them and their text.
 */
import { type ObjectShape, partsOf, type Shape, type ShapeDocument, type TupleShape, type UnionShape } from '../shape/shape.ts';
import { BYTES_CLASSES, nameOfBytes } from '../shape/bytes-classes.ts';
import { codecOf } from '../shape/validate/codecs.ts';
import { compileShape } from '../shape/validate/compile.ts';
import { type Hint, toWire } from '../shape/wire-hints.ts';
import { hintOfJson, ofMembers } from './json-hints.ts';
import { type Hinter, keyed, listed, NONE, ofItems, ofList, ofNamed } from './hinters.ts';

const ANY: Hinter = { of: hintOfJson, usual: undefined };
const NUMBER: Hinter = { of: (value) => (Number.isFinite(value) ? undefined : hintOfJson(value)), usual: undefined };

const always = (hint: Hint, is: (value: unknown) => boolean): Hinter => ({
  of: (value) => (is(value) ? hint : hintOfJson(value)),
  usual: hint,
});
const DATE = always('date', (value) => value instanceof Date && !Number.isNaN(value.getTime()));
const BIGINT = always('bigint', (value) => typeof value === 'bigint');
const URL_TEXT = always('url', (value) => value instanceof URL);
/** By the name of their class, each with a hint of its own, which all values of it share. */
const BYTES_HINTS = new Map<string, Hint>(BYTES_CLASSES.map((name) => [name, name === 'Uint8Array' ? 'bytes' : ['bytes', name as never]]));
const hintOfBytes = (value: unknown): Hint | undefined =>
  typeof value === 'object' && value !== null ? BYTES_HINTS.get(nameOfBytes(value)) : hintOfJson(value);
const bytesOf = (type: string): Hinter => ({ of: hintOfBytes, usual: BYTES_HINTS.get(type) ?? 'bytes' });

/** What stands for itself in a union, whichever member it is of. */
const PRIMITIVE: ReadonlySet<Shape['kind']> = new Set<Shape['kind']>([
  'string',
  'template',
  'number',
  'bigint',
  'boolean',
  'null',
  'undefined',
  'literal',
  'enum',
  'never',
]);

/** Kinds that JSON has no form for. */
const SPECIAL: ReadonlySet<Shape['kind']> = new Set<Shape['kind']>(['date', 'bigint', 'url', 'bytes', 'map', 'set', 'undefined', 'any']);

const isSpecial = (shape: Shape): boolean => {
  if (shape.kind === 'literal') return !isJson(shape.value);
  if (shape.kind === 'enum') return !shape.values.every(isJson);
  return SPECIAL.has(shape.kind) || (shape.kind === 'object' && shape.unknown === 'keep');
};
const isJson = (value: unknown): boolean => toWire(value).as === undefined;

/** Whether a value that fits the type has any: most have none, and nobody looks for them. */
export function mayHaveHints({ root, definitions }: ShapeDocument): boolean {
  const waiting: Shape[] = [root, ...Object.values(definitions)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isSpecial(next)) return true;
    waiting.push(...partsOf(next));
  }
  return false;
}

/** The text of the hints of a value of the type; `undefined`: there are none. */
export function hintsOf({ root, definitions }: ShapeDocument): (value: unknown) => string | undefined {
  const { of, usual } = new Makers(definitions).of(root);
  const usualText = usual === undefined ? undefined : JSON.stringify(usual);
  return (value) => {
    const hint = of(value);
    return hint === usual ? usualText : hint === undefined ? undefined : JSON.stringify(hint);
  };
}

class Makers {
  readonly #definitions: ShapeDocument['definitions'];
  /** Each definition once, however often it is referred to. */
  readonly #named = new Map<string, Hinter>();

  constructor(definitions: ShapeDocument['definitions']) {
    this.#definitions = definitions;
  }

  of(shape: Shape): Hinter {
    switch (shape.kind) {
      case 'string':
      case 'template':
      case 'boolean':
      case 'null':
      case 'regexp':
        return NONE;
      case 'number':
        return NUMBER;
      case 'date':
        return DATE;
      case 'bigint':
        return BIGINT;
      case 'url':
        return URL_TEXT;
      case 'bytes':
        return bytesOf(shape.type);
      case 'reference':
        return this.#reference(shape.name);
      case 'array':
        return ofList(this.of(shape.items));
      case 'codec':
        return this.#ofCodec(shape.name, this.of(shape.wire));
      case 'enum':
      case 'literal':
        return isSpecial(shape) ? ANY : NONE;
      // As the encoder has it.
      case 'intersection':
        return this.of(shape.members[0] ?? { kind: 'any' });
      default:
        return this.#ofParts(shape);
    }
  }

  #ofParts(shape: Shape): Hinter {
    switch (shape.kind) {
      case 'object':
        return this.#ofObject(shape);
      case 'tuple':
        return this.#ofTuple(shape);
      case 'union':
        return this.#ofUnion(shape);
      case 'set':
        return listed('set', ofList(this.of(shape.items)));
      case 'map':
        return listed('map', ofList(ofItems([this.of(shape.key), this.of(shape.value)])));
      default:
        return ANY;
    }
  }

  /** One that contains itself is asked for when a value comes. */
  #reference(name: string): Hinter {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    let made: Hinter | undefined;
    this.#named.set(name, { of: (value) => made?.of(value), usual: undefined });
    made = this.of(this.#definitions[name] ?? { kind: 'any' });
    this.#named.set(name, made);
    return made;
  }

  /** What is sent is what the codec gives. */
  #ofCodec(name: string, wire: Hinter): Hinter {
    if (wire.of === NONE.of) return NONE;
    return { of: (value) => wire.of(codecOf(name).encode(value)), usual: wire.usual };
  }

  #ofTuple({ items, rest, last = [] }: TupleShape): Hinter {
    const of = (one: Shape): Hinter => this.of(one);
    const all = items.map(({ shape }) => of(shape));
    return ofItems(
      all,
      rest === undefined ? undefined : of(rest),
      last.map(({ shape }) => of(shape)),
    );
  }

  #ofObject({ properties, index = [], unknown }: ObjectShape): Hinter {
    const members = properties.map(({ name, shape }) => ({ name, ...this.of(shape) }));
    const named = ofNamed(members.filter(({ of }) => of !== NONE.of));
    if (index.length === 0 && unknown !== 'keep') return named;
    const known = new Set(properties.map(({ name }) => name));
    const rules = index.map(({ key, value }) => ({ fits: this.#checkOf(key), of: this.of(value).of }));
    const others = (object: object): Hint | undefined =>
      ofMembers(object, (key) => {
        if (known.has(key)) return undefined;
        return rules.find(({ fits }) => fits(key))?.of ?? (unknown === 'keep' ? hintOfJson : undefined);
      });
    const of = (value: unknown): Hint | undefined => {
      if (typeof value !== 'object' || value === null) return hintOfJson(value);
      const [own, more] = [named.of(value), others(value)];
      return own === undefined || more === undefined ? (own ?? more) : { ...(own as object), ...(more as object) };
    };
    return { of, usual: undefined };
  }

  #ofUnion({ members, discriminator }: UnionShape): Hinter {
    const all = members.map((member) => this.of(member));
    if (all.every(({ of }) => of === NONE.of)) return NONE;
    if (discriminator !== undefined)
      return keyed(discriminator.key, new Map(discriminator.cases.map(([value, at]) => [value, all[at] ?? ANY])));
    const objects = members.flatMap((member, at) => (PRIMITIVE.has(member.kind) ? [] : [{ member, hinter: all[at] ?? ANY }]));
    // Most are of something or nothing.
    const tested = objects.map(({ member, hinter }) => ({ hinter, fits: objects.length === 1 ? () => true : this.#checkOf(member) }));
    const of = (value: unknown): Hint | undefined => {
      if (typeof value !== 'object' || value === null) return hintOfJson(value);
      return tested.find(({ fits }) => fits(value))?.hinter.of(value);
    };
    return { of, usual: undefined };
  }

  #checkOf(root: Shape): (value: unknown) => boolean {
    if (root.kind === 'string' && Object.keys(root).length === 1) return (value) => typeof value === 'string';
    return compileShape({ root, definitions: this.#definitions }).check;
  }
}
