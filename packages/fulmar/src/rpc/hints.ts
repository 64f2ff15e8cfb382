/**
 * Hints of a result whose type is known: what `toWire` would say of it, without making a copy. Values that always have
 * the same hints, as most have, share them and their text.
 */
import type { ObjectShape, Shape, ShapeDocument } from '../shape/shape.ts';
import type { Hint } from '../shape/wire-hints.ts';
import { hintAlong, hintOfSingle, isSingle } from './hints-along.ts';

/** The type alone does not tell: what was written of the value is looked at. */
const UNSURE = Symbol('unsure');
type Found = Hint | typeof UNSURE | undefined;

interface Hinter {
  readonly of: (value: unknown) => Found;
  /** What `of` gives nearly always, the same object each time; `undefined` where there is nothing to say. */
  readonly usual: Hint | undefined;
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null && !isSingle(value);

const NONE: Hinter = { of: () => undefined, usual: undefined };
const ANY: Hinter = { of: (value) => (isComposite(value) ? UNSURE : hintOfSingle(value)), usual: undefined };
const NUMBER: Hinter = { of: (value) => (Number.isFinite(value) ? undefined : ANY.of(value)), usual: undefined };
const DATE: Hinter = { of: (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? 'date' : ANY.of(value)), usual: 'date' };

/** Kinds whose values have no members. */
const SINGLES: ReadonlySet<Shape['kind']> = new Set<Shape['kind']>([
  'string',
  'template',
  'number',
  'boolean',
  'null',
  'undefined',
  'literal',
  'enum',
  'bigint',
  'date',
  'url',
]);

/** Definitions within definitions: one that contains itself is looked at as a value alone. */
const DEPTH_MAX = 20;

/** The text of the hints of a value of the type that was written as `json`; `undefined`: there are none. */
export function hintsOf({ root, definitions }: ShapeDocument): (value: unknown, json: string) => string | undefined {
  const { of, usual } = new Makers(definitions).of(root, 0);
  const usualText = usual === undefined ? undefined : JSON.stringify(usual);
  return (value, json) => {
    const found = of(value);
    const hint = found === UNSURE ? hintAlong(value, JSON.parse(json)) : found;
    return hint === usual ? usualText : hint === undefined ? undefined : JSON.stringify(hint);
  };
}

class Makers {
  readonly #definitions: ShapeDocument['definitions'];

  constructor(definitions: ShapeDocument['definitions']) {
    this.#definitions = definitions;
  }

  of(shape: Shape, depth: number): Hinter {
    if (depth > DEPTH_MAX) return ANY;
    switch (shape.kind) {
      case 'string':
      case 'template':
      case 'boolean':
      case 'null':
        return NONE;
      case 'number':
        return NUMBER;
      case 'date':
        return DATE;
      case 'reference':
        return this.of(this.#definitions[shape.name] ?? { kind: 'any' }, depth + 1);
      case 'array':
        return ofList(this.of(shape.items, depth + 1));
      case 'object':
        return (shape.index ?? []).length > 0 || shape.unknown === 'keep' ? ANY : this.#ofObject(shape, depth);
      case 'codec':
        return this.of(shape.wire, depth + 1).of === NONE.of ? NONE : ANY;
      case 'union':
        return this.#ofUnion(shape.members, depth);
      default:
        return ANY;
    }
  }

  /** Of one that is an object, and of others that have no members, the value tells which it is. */
  #ofUnion(members: readonly Shape[], depth: number): Hinter {
    const composite = members.filter(({ kind }) => !SINGLES.has(kind));
    const [only] = composite;
    if (only === undefined || composite.length > 1) return ANY;
    const inner = this.of(only, depth + 1);
    return { of: (value) => (isComposite(value) ? inner.of(value) : ANY.of(value)), usual: inner.usual };
  }

  #ofObject(shape: ObjectShape, depth: number): Hinter {
    const members = shape.properties
      .map(({ name, shape: inner }) => ({ name, ...this.of(inner, depth + 1) }))
      .filter(({ of }) => of !== NONE.of);
    if (members.length === 0) return NONE;
    const said = members.filter(({ usual }) => usual !== undefined);
    const usual = said.length === 0 ? undefined : Object.fromEntries(said.map((one) => [one.name, one.usual as Hint]));
    const of = (value: unknown): Found => {
      if (typeof value !== 'object' || value === null) return ANY.of(value);
      for (const member of members) {
        if (hintIn(value, member) !== member.usual) return unusual(value, members);
      }
      return usual;
    };
    return { of, usual };
  }
}

interface Member extends Hinter {
  readonly name: string;
}

function hintIn(value: object, { name, of }: Member): Found {
  const member = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  return member === undefined ? undefined : of(member);
}

function unusual(value: object, members: readonly Member[]): Found {
  const said = members.map((member) => [member.name, hintIn(value, member)] as const).filter(([, hint]) => hint !== undefined);
  if (said.some(([, hint]) => hint === UNSURE)) return UNSURE;
  return said.length === 0 ? undefined : (Object.fromEntries(said) as Hint);
}

function ofList(item: Hinter): Hinter {
  if (item.of === NONE.of) return NONE;
  const usual: Hint | undefined = item.usual === undefined ? undefined : { '*': item.usual };
  const of = (value: unknown): Found => {
    if (!Array.isArray(value)) return ANY.of(value);
    // Of an empty list there is nothing to say.
    if (value.length === 0) return undefined;
    return value.every((one) => item.of(one) === item.usual) ? usual : UNSURE;
  };
  return { of, usual };
}
