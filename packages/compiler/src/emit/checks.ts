/**
 * Shapes to expressions that are true for the values that fit. Two forms of them: of values as an application
 * has them, and `wire`, as they come out of JSON, where a date may still be a text. Never throws at run time
 * but where a getter does.
 */
import {
  type ArrayShape,
  type BigIntShape,
  type CodecShape,
  type LiteralValue,
  type MapShape,
  type NumberShape,
  partsOf,
  type SetShape,
  type Shape,
  type StringShape,
  type TupleShape,
  type UnionShape,
} from '../../../fulmar/src/shape/shape.ts';
import { DEPTH_MAX } from '../../../fulmar/src/shape/validate/depth.ts';
import { costOf, isBare } from './cost.ts';
import { literal, memberOf } from './literals.ts';
import { codecConstant, type Module, Scope } from './module.ts';
import { checkObject } from './object-check.ts';

/** Literals that are compared one by one; more are looked up. */
const COMPARED_MAX = 6;

export type Form = 'value' | 'wire';

export class Checks {
  readonly module: Module;
  readonly form: Form;
  /** The name of a function that decodes a shape: the decoder stands on these checks, so it is set when there is one. */
  decode: (shape: Shape) => string = () => '';

  constructor(module: Module, form: Form) {
    this.module = module;
    this.form = form;
  }

  /** The name of a function `(value, depth)`. */
  function(shape: Shape): string {
    return this.module.function(`is ${this.form}`, shape, (name) => {
      const scope = new Scope();
      const expression = this.expression(shape, 'v', scope);
      return `function ${name}(v, d) { ${scope.declaration()}return ${expression}; }`;
    });
  }

  /** `value` is a name: it is read more than once. */
  expression(shape: Shape, value: string, scope: Scope): string {
    switch (shape.kind) {
      case 'any':
        return 'true';
      case 'never':
        return 'false';
      case 'undefined':
      case 'null':
        return `${value} === ${shape.kind}`;
      case 'boolean':
        return `typeof ${value} === "boolean"`;
      case 'literal':
        return this.#literals([shape.value], value);
      case 'enum':
        return this.#literals(shape.values, value);
      case 'string':
        return this.#string(shape, value);
      case 'template':
        return `${this.module.constant(`${this.module.helper('template')}(${literal(shape.parts)})`)}(${value})`;
      case 'number':
        return numberCheck(shape, value, this.module);
      case 'union':
        return this.#union(shape, value, scope);
      case 'intersection':
        return shape.members.map((member) => `(${this.expression(member, value, scope)})`).join(' && ');
      case 'reference':
        return this.#reference(shape.name, value);
      case 'object':
        return checkObject(shape, value, scope, this);
      default:
        return this.#composite(shape, value, scope);
    }
  }

  #composite(shape: Shape, value: string, scope: Scope): string {
    switch (shape.kind) {
      case 'array':
        return this.#array(shape, value);
      case 'tuple':
        return this.#tuple(shape, value, scope);
      case 'map':
      case 'set':
        return this.#collection(shape, value);
      case 'bigint':
        return this.#bigint(shape, value);
      case 'date':
      case 'url':
      case 'regexp':
        return `${this.module.helper(this.form === 'wire' && shape.kind !== 'regexp' ? `${shape.kind}Wire` : `${shape.kind}Is`)}(${value})`;
      case 'codec':
        return this.#codec(shape, value, scope);
      case 'bytes': {
        const helper = this.module.helper(this.form === 'wire' ? 'bytesWire' : 'bytesIs');
        return `${helper}(${[value, literal(shape.type), literal(shape.minBytes ?? 0), literal(shape.maxBytes ?? Infinity)].join(', ')})`;
      }
      default:
        throw new TypeError(`a shape of the kind ${shape.kind} does not come from a type`);
    }
  }

  /** Of what came, what its codec makes an instance of. */
  #codec({ name, wire }: CodecShape, value: string, scope: Scope): string {
    const codec = codecConstant(name, this.module);
    if (this.form === 'value') return `${codec}.is(${value})`;
    return `(${codec}.is(${value}) || (${this.expression(wire, value, scope)} && ${codec}.reads(${this.decode(wire)}(${value}))))`;
  }

  /** An expression that reads more than a name into a variable first. */
  read(shape: Shape, expression: string, scope: Scope): string {
    if (shape.kind === 'any') return 'true';
    if (['boolean', 'null', 'undefined', 'reference', 'date', 'bytes'].includes(shape.kind) || isBare(shape))
      return this.expression(shape, expression, scope);
    const name = scope.temporary();
    return `(${name} = ${expression}, ${this.expression(shape, name, scope)})`;
  }

  #literals(values: readonly LiteralValue[], value: string): string {
    if (this.form === 'wire' && values.some((one) => typeof one === 'bigint')) {
      const plain = values.filter((one) => typeof one !== 'bigint');
      const big = this.module.constant(`new Set(${literal(values.filter((one) => typeof one === 'bigint').map(String))})`);
      return `(${[...plain.map((one) => `${value} === ${literal(one)}`), `${big}.has(${this.module.helper('bigintText')}(${value}))`].join(' || ')})`;
    }
    if (values.length > COMPARED_MAX) return `${this.module.constant(`new Set(${literal(values)})`)}.has(${value})`;
    return `(${values.map((one) => `${value} === ${literal(one)}`).join(' || ')})`;
  }

  #string({ minLength = 0, maxLength, patterns = [], format }: StringShape, value: string): string {
    const tests = [`typeof ${value} === "string"`];
    const points = (): string => `${this.module.helper('codePoints')}(${value})`;
    if (minLength === 1) tests.push(`${value} !== ""`);
    // A code point is one or two units: most lengths are decided without counting.
    else if (minLength > 0)
      tests.push(`${value}.length >= ${minLength} && (${value}.length >= ${2 * minLength} || ${points()} >= ${minLength})`);
    if (maxLength !== undefined)
      tests.push(`(${value}.length <= ${maxLength} || (${value}.length <= ${2 * maxLength} && ${points()} <= ${maxLength}))`);
    for (const { source, flags } of patterns) {
      tests.push(`${this.module.constant(`new RegExp(${literal(source)}, ${literal(flags)})`)}.test(${value})`);
    }
    if (format !== undefined) tests.push(`${this.module.constant(`${this.module.helper('format')}(${literal(format)})`)}(${value})`);
    return tests.join(' && ');
  }

  #bigint({ minimum, maximum }: BigIntShape, value: string): string {
    if (this.form === 'wire') return `${this.module.helper('bigintWire')}(${[value, literal(minimum), literal(maximum)].join(', ')})`;
    const bounds = [
      ...(minimum === undefined ? [] : [`${value} >= ${literal(minimum)}`]),
      ...(maximum === undefined ? [] : [`${value} <= ${literal(maximum)}`]),
    ];
    return [`typeof ${value} === "bigint"`, ...bounds].join(' && ');
  }

  #array(shape: ArrayShape, value: string): string {
    const { items, minItems = 0, maxItems, unique } = shape;
    const tests = [`Array.isArray(${value})`];
    if (minItems > 0) tests.push(`${value}.length >= ${minItems}`);
    if (maxItems !== undefined) tests.push(`${value}.length <= ${maxItems}`);
    if (items.kind !== 'any') tests.push(`${this.#every(items)}(${value}, d)`);
    if (unique === true) tests.push(`${this.module.helper('unique')}(${value})`);
    return tests.join(' && ');
  }

  /** A function that looks at each item of an array, from a place on. */
  #every(items: Shape, from = 0, behind = 0): string {
    return this.module.function(`every ${this.form} ${from} ${behind}`, items, (name) => {
      const scope = new Scope();
      const test = this.expression(items, 'x', scope);
      const end = behind === 0 ? 'v.length' : `v.length - ${behind}`;
      return `function ${name}(v, d) { ${scope.declaration()}for (let i = ${from}, n = ${end}; i < n; i++) { const x = v[i]; if (!(${test})) return false; } return true; }`;
    });
  }

  #tuple({ items, rest, last = [], minItems = 0, maxItems, unique }: TupleShape, value: string, scope: Scope): string {
    const needed = Math.max(minItems, items.filter((item) => item.optional !== true).length + last.length);
    const tests = [`Array.isArray(${value})`];
    const longest = rest === undefined ? Math.min(items.length, maxItems ?? Infinity) : (maxItems ?? Infinity);
    if (needed === longest) tests.push(`${value}.length === ${needed}`);
    else tests.push(`${value}.length >= ${needed}`, ...(longest === Infinity ? [] : [`${value}.length <= ${longest}`]));
    for (const [at, { shape, optional }] of items.entries()) {
      const test = this.read(shape, `${value}[${at}]`, scope);
      if (test !== 'true') tests.push(optional === true ? `(${value}.length <= ${at} || ${value}[${at}] === undefined || ${test})` : test);
    }
    if (rest !== undefined && rest.kind !== 'any') tests.push(`${this.#every(rest, items.length, last.length)}(${value}, d)`);
    for (const [at, { shape }] of last.entries()) tests.push(this.read(shape, `${value}[${value}.length - ${last.length - at}]`, scope));
    if (unique === true) tests.push(`${this.module.helper('unique')}(${value})`);
    return tests.join(' && ');
  }

  #collection(shape: MapShape | SetShape, value: string): string {
    const entry: Shape = shape.kind === 'map' ? { kind: 'tuple', items: [{ shape: shape.key }, { shape: shape.value }] } : shape.items;
    const test = this.function(entry);
    const helper = this.module.helper(`${shape.kind}${this.form === 'wire' ? 'Wire' : 'Is'}`);
    const { minSize = 0, maxSize = Infinity } = shape;
    // One of a kind is left of what comes twice.
    const read = this.form === 'wire' && minSize > 1 ? [this.decode(shape.kind === 'map' ? shape.key : shape.items)] : [];
    return `${helper}(${[value, test, 'd', literal(minSize), literal(maxSize), ...read].join(', ')})`;
  }

  #union({ members, discriminator }: UnionShape, value: string, scope: Scope): string {
    if (discriminator === undefined) {
      // What is cheap to refuse is asked first: which one fits does not matter here.
      const ordered = [...members].sort((one, other) => costOf(one) - costOf(other));
      return `(${ordered.map((member) => `(${this.expression(member, value, scope)})`).join(' || ')})`;
    }
    const { key, cases } = discriminator;
    const chosen = this.module.function(`switch ${this.form}`, { kind: 'union', members, discriminator }, (name) => {
      const branches = members.map((member, at) => {
        const labels = cases.filter(([, index]) => index === at).map(([told]) => `case ${literal(told)}: `);
        return `${labels.join('')}return ${this.function(member)}(v, d);`;
      });
      const told = memberOf('v', key, () => this.module.helper('own'));
      return `function ${name}(v, d) { switch (${told}) { ${branches.join(' ')} default: return false; } }`;
    });
    return `typeof ${value} === "object" && ${value} !== null && ${chosen}(${value}, d)`;
  }

  /** The check of a whole value, from its begin. */
  whole(shape: Shape, value: string): string {
    const check = `${this.function(shape)}(${value}, 0)`;
    return this.module.recursive.size === 0 ? check : `(${this.module.helper('start')}(), ${check})`;
  }

  /**
   * One that contains itself counts how deep it is, and how often it was asked. A union of references alone is no level
   * of its own: what it refers to counts.
   */
  #reference(name: string, value: string): string {
    const target = this.module.definitions[name] ?? { kind: 'never' };
    if (!this.module.recursive.has(name)) return `${this.function(target)}(${value}, d)`;
    const depth = isLevel(target) ? 'd + 1' : 'd';
    return `(d <= ${DEPTH_MAX} && ${this.module.helper('step')}() && ${this.function(target)}(${value}, ${depth}))`;
  }
}

/** Is what a reference leads to a level of its own? */
export const isLevel = (target: Shape): boolean => target.kind !== 'union' || !target.members.every(isReferenceOrPlain);

const isReferenceOrPlain = (shape: Shape): boolean => shape.kind === 'reference' || partsOf(shape).length === 0;

function numberCheck(
  { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, allowsNonFinite }: NumberShape,
  value: string,
  module: Module,
): string {
  const tests = [
    integer === true
      ? `Number.isInteger(${value})`
      : allowsNonFinite === true
        ? `typeof ${value} === "number"`
        : `Number.isFinite(${value})`,
  ];
  if (minimum !== undefined) tests.push(`${value} >= ${literal(minimum)}`);
  if (maximum !== undefined) tests.push(`${value} <= ${literal(maximum)}`);
  if (exclusiveMinimum !== undefined) tests.push(`${value} > ${literal(exclusiveMinimum)}`);
  if (exclusiveMaximum !== undefined) tests.push(`${value} < ${literal(exclusiveMaximum)}`);
  if (multipleOf !== undefined) tests.push(`${module.helper('multiple')}(${value}, ${literal(multipleOf)})`);
  return tests.join(' && ');
}
