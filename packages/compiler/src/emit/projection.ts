/**
 * Shapes to functions that give a copy of a value with its declared members alone, so that JSON.stringify writes of it
 * what the encoder would: where JSON.stringify is fast, one call of it for all of a list is faster than a text of
 * many pieces. Gives `undefined` for what is not of the type; the encoder says then what is wrong with it.
 */
import type { ArrayShape, ObjectShape, Shape, UnionShape } from '../../../fulmar/src/shape/shape.ts';
import { literal, memberOf } from './literals.ts';
import { type Module, Scope } from './module.ts';

/** Parts of a shape that are copied: larger ones are written piece by piece. */
const PARTS_MAX = 200;
/** Items of a list of texts or numbers that are written one by one. */
const PIECES_MAX = 3;
/** Members whose names are numbers stand before the others, wherever they are written. */
const INDEX = /^\d+$/;

export class Projection {
  readonly #module: Module;

  constructor(module: Module) {
    this.#module = module;
  }

  /** What the encoder of a list, or of an object that has one, tries first. */
  attempt(shape: ArrayShape | ObjectShape): string {
    if (this.#partsOf(shape, PARTS_MAX) < 0 || (shape.kind === 'object' && !this.#hasList(shape))) return '';
    // Of texts and numbers alone there is nothing to copy, and no engine is slower.
    const isFlat = shape.kind === 'array' && typeOf(this.#resolved(shape.items)) !== undefined;
    const when = isFlat ? `v.length > ${PIECES_MAX}` : this.#module.helper('isJsonFast');
    const json = `${this.#module.helper('projected')}(${this.function(shape)}(v))`;
    return `if (${when}) { const p = ${json}; if (p !== undefined) return p; } `;
  }

  /** The name of a function `(value)`. */
  function(shape: Shape): string {
    return this.#module.function('project', shape, (name) => {
      if (shape.kind === 'array') return this.#list(shape, name);
      if (shape.kind === 'object') return this.#object(shape, name);
      return this.#union(shape as UnionShape, name);
    });
  }

  /** How many parts there are; less than 0 where one is of a kind that is not copied, or they are too many. */
  #partsOf(shape: Shape, left: number): number {
    if (left <= 0) return -1;
    if (typeOf(shape) !== undefined) return 1;
    switch (shape.kind) {
      case 'reference':
        return this.#module.recursive.has(shape.name) ? -1 : this.#partsOf(this.#definition(shape.name), left - 1);
      case 'array':
        return this.#sum([shape.items], left);
      case 'object':
        if ((shape.index ?? []).length > 0 || shape.unknown === 'keep' || shape.properties.length === 0) return -1;
        if (shape.properties.some(({ name }) => INDEX.test(name) || name === '__proto__')) return -1;
        return this.#sum(
          shape.properties.map((property) => property.shape),
          left,
        );
      case 'union':
        return shape.discriminator === undefined || shape.members.some((member) => this.#resolved(member).kind !== 'object')
          ? -1
          : this.#sum(shape.members, left);
      default:
        return -1;
    }
  }

  #sum(shapes: readonly Shape[], left: number): number {
    let sum = 1;
    for (const shape of shapes) {
      const parts = this.#partsOf(shape, left - sum);
      if (parts < 0) return -1;
      sum += parts;
    }
    return sum;
  }

  /** An object alone is faster piece by piece; a list of objects within it is not. */
  #hasList(shape: ObjectShape): boolean {
    return shape.properties.some((property) => {
      const inner = this.#resolved(property.shape);
      return inner.kind === 'array' && typeOf(this.#resolved(inner.items)) === undefined;
    });
  }

  #definition(name: string): Shape {
    return this.#module.definitions[name] ?? { kind: 'never' };
  }

  #resolved(shape: Shape): Shape {
    return shape.kind === 'reference' ? this.#resolved(this.#definition(shape.name)) : shape;
  }

  #list({ items }: ArrayShape, name: string): string {
    const shape = this.#resolved(items);
    const guard = 'if (!Array.isArray(v)) return undefined;';
    const test = typeOf(shape)?.('x');
    // An array that says itself what its JSON is would be asked.
    if (test !== undefined)
      return `function ${name}(v) { ${guard} for (let i = 0, n = v.length; i < n; i++) { const x = v[i]; if (!(${test})) return undefined; } return v.toJSON === undefined ? v : undefined; }`;
    const copy = this.function(shape);
    return `function ${name}(v) { ${guard} const n = v.length, o = new Array(n); for (let i = 0; i < n; i++) { const x = v[i]; if (${isNone(shape, 'x')}(o[i] = ${copy}(x)) === undefined) return undefined; } return o; }`;
  }

  #object(shape: ObjectShape, name: string): string {
    const scope = new Scope();
    const lines: string[] = [];
    const members = shape.properties.map((property) => {
      const { name: key, presence } = property;
      const inner = this.#resolved(property.shape);
      // What is constant is written as the type has it, and so it is for the encoder.
      if (inner.kind === 'literal' && presence === 'required') return `${literal(key)}: ${literal(inner.value)}`;
      const value = scope.temporary();
      lines.push(`${value} = ${memberOf('v', key, () => this.#module.helper('own'))};`);
      lines.push(this.#member(inner, value, presence !== 'required'));
      return `${literal(key)}: ${value}`;
    });
    return `function ${name}(v) { ${scope.declaration()}${lines.join(' ')} return { ${members.join(', ')} }; }`;
  }

  /** Statements that leave in `value` what is written for it; `undefined` is left out, as the encoder does. */
  #member(shape: Shape, value: string, isOptional: boolean): string {
    const test = typeOf(shape)?.(value);
    const present = isOptional ? `${value} !== undefined && ` : '';
    if (test !== undefined) return `if (${present}!(${test})) return undefined;`;
    const copied = `if (${isNone(shape, value)}(${value} = ${this.function(shape)}(${value})) === undefined) return undefined;`;
    return isOptional ? `if (${value} !== undefined) { ${copied} }` : copied;
  }

  #union({ members, discriminator }: UnionShape, name: string): string {
    const { key, cases } = discriminator as NonNullable<UnionShape['discriminator']>;
    const branches = members.map((member, at) => {
      const labels = cases.filter(([, index]) => index === at).map(([told]) => `case ${literal(told)}: `);
      return `${labels.join('')}return ${this.function(this.#resolved(member))}(v);`;
    });
    const told = memberOf('v', key, () => this.#module.helper('own'));
    return `function ${name}(v) { switch (${told}) { ${branches.join(' ')} default: return undefined; } }`;
  }
}

/** True for what is no object, where the copy is one of an object; a list is looked at by its own function. */
const isNone = (shape: Shape, value: string): string =>
  shape.kind === 'array' ? '' : `typeof ${value} !== "object" || ${value} === null || `;

type Test = (value: string) => string;

/** What tells that JSON.stringify has the encoder's text for the value; `undefined` for kinds that are looked into. */
function typeOf(shape: Shape): Test | undefined {
  switch (shape.kind) {
    case 'string':
    case 'template':
      return (value) => `typeof ${value} === "string"`;
    case 'number':
      return (value) => `typeof ${value} === "number"`;
    case 'boolean':
      return (value) => `typeof ${value} === "boolean"`;
    case 'null':
      return (value) => `${value} === null`;
    case 'literal':
      return typeof shape.value === 'bigint' || shape.value === undefined ? undefined : (value) => `${value} === ${literal(shape.value)}`;
    case 'enum':
      if (shape.values.every((one) => typeof one === 'string')) return (value) => `typeof ${value} === "string"`;
      return shape.values.some((one) => typeof one === 'bigint' || one === undefined) ? undefined : scalarTest;
    case 'union':
      return shape.members.every((one) => ['string', 'number', 'boolean', 'null'].includes(one.kind)) ? scalarTest : undefined;
    default:
      return undefined;
  }
}

const scalarTest: Test = (value) =>
  `typeof ${value} === "string" || typeof ${value} === "number" || typeof ${value} === "boolean" || ${value} === null`;
