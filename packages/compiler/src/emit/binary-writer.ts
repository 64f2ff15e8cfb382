/**
 * Shapes to statements that write a value in the binary form: no names, no types, only what the shape does not
 * know. Trusts the type as the JSON encoder does; a value of another kind is an error of the writer.
 */
import type { NumberShape, ObjectShape, Property, Shape, TupleShape, UnionShape } from '../../../fulmar/src/shape/shape.ts';
import { hasOthers, isOpen, type Layout, mayMiss } from './binary-layout.ts';
import { type Checks, isLevel } from './checks.ts';
import { choicesOf } from './kinds.ts';
import { literal, memberOf } from './literals.ts';
import { codecConstant, type Module, Scope } from './module.ts';
import { keyCheck } from './object-check.ts';

/** Members whose bits share a byte. */
export const BITS = 8;

/** Kinds that are one call of the writer. */
const CALLS: Readonly<Partial<Record<Shape['kind'], string>>> = {
  boolean: 'boolean',
  string: 'text',
  template: 'text',
  bigint: 'bigint',
  date: 'date',
  bytes: 'bytesOf',
};

export class BinaryWriter {
  readonly #module: Module;
  readonly #checks: Checks;
  readonly #layout: Layout;

  constructor(module: Module, checks: Checks, layout: Layout) {
    this.#module = module;
    this.#checks = checks;
    this.#layout = layout;
  }

  /** The name of a function `(writer, value, depth)`. */
  function(shape: Shape): string {
    return this.#module.function('write', shape, (name) => {
      const scope = new Scope();
      const body = this.#body(shape, scope);
      return `function ${name}(w, v, d) { ${scope.declaration()}${body} }`;
    });
  }

  #body(shape: Shape, scope: Scope): string {
    switch (shape.kind) {
      case 'object':
        return this.#object(shape, scope);
      case 'union':
        return this.#union(shape, scope);
      case 'tuple':
        return this.#tuple(shape);
      case 'array':
        if (isNumbers(shape.items)) return this.#write(shape, 'v');
        return `${this.#helper('listIs')}(v); const n = v.length; w.size(n); for (let i = 0; i < n; i++) { ${this.#item(shape.items, 'v[i]')} }`;
      case 'set':
        return `w.size(${this.#helper('entriesIs')}(v, "Set").size); for (const x of v) { ${this.#item(shape.items, 'x')} }`;
      case 'map':
        return `w.size(${this.#helper('entriesIs')}(v, "Map").size); for (const [k, x] of v) { ${this.#item(shape.key, 'k')} ${this.#item(shape.value, 'x')} }`;
      default:
        return this.#write(shape, 'v');
    }
  }

  /** Each item has a byte, so that a count can be held against the bytes that follow. */
  #item(shape: Shape, value: string): string {
    return this.#layout.isEmpty(shape) ? `w.byte(0); ${this.#write(shape, value)}` : this.#write(shape, value);
  }

  #write(shape: Shape, value: string): string {
    const call = CALLS[shape.kind];
    if (call !== undefined) return `w.${call}(${value});`;
    switch (shape.kind) {
      case 'never':
        return `${this.#helper('noChoice')}(${value});`;
      case 'null':
      case 'undefined':
      case 'literal':
        return '';
      case 'number':
        return `w.${shape.integer === true ? 'integer' : shape.allowsNonFinite === true ? 'anyNumber' : 'number'}(${value});`;
      case 'enum':
        return `w.size(${this.#helper('placeOf')}(${this.#module.constant(`${this.#helper('placesOf')}(${literal(this.#layout.values(shape))})`)}, ${value}));`;
      case 'url':
        return `${this.#helper('writeUrl')}(w, ${value});`;
      case 'any':
        return `${this.#helper('writeValue')}(w, ${value});`;
      case 'array':
        if (isNumbers(shape.items)) return `w.numbers(${this.#helper('listIs')}(${value}));`;
        break;
      case 'intersection':
        return this.#write(shape.members[0] ?? { kind: 'any' }, value);
      case 'codec':
        return this.#write(shape.wire, `${codecConstant(shape.name, this.#module)}.encode(${value})`);
      case 'reference':
        return this.#reference(shape.name, value);
    }
    return `${this.function(shape)}(w, ${value}, d);`;
  }

  #reference(name: string, value: string): string {
    const target = this.#module.definitions[name] ?? { kind: 'never' };
    if (!this.#module.recursive.has(name)) return this.#write(target, value);
    return `${this.function(target)}(w, ${value}, ${isLevel(target) ? `${this.#helper('deeper')}(d)` : 'd'});`;
  }

  #object(shape: ObjectShape, scope: Scope): string {
    const properties = this.#layout.properties(shape);
    const missing = properties.filter(mayMiss);
    const values = new Map(missing.map((property) => [property, scope.temporary()] as const));
    const lines = [`${this.#helper('objectIs')}(v);`];
    for (const [property, name] of values) lines.push(`${name} = ${this.#member(property)};`);
    for (let from = 0; from < missing.length; from += BITS) {
      const bits = missing.slice(from, from + BITS).map((property, at) => `(${values.get(property)} !== undefined ? ${2 ** at} : 0)`);
      lines.push(`w.byte(${bits.join(' | ')});`);
    }
    for (const property of properties) {
      const value = values.get(property);
      if (value === undefined) lines.push(this.#write(property.shape, this.#member(property)));
      else lines.push(`if (${value} !== undefined) { ${this.#write(property.shape, value)} }`);
    }
    if (hasOthers(shape)) lines.push(this.#others(shape, scope));
    return lines.join(' ');
  }

  #member({ name }: Property): string {
    return memberOf('v', name, () => this.#helper('own'));
  }

  /** A byte before each of the members that have no place of their own, and one behind the last. */
  #others(shape: ObjectShape, scope: Scope): string {
    const { properties, unknown } = shape;
    const known =
      properties.length === 0
        ? ''
        : `if (${this.#module.constant(`new Set(${literal(properties.map(({ name }) => name))})`)}.has(k)) continue; `;
    const branches = this.#layout.index(shape).map(({ key, value }) => {
      const fits = keyCheck(key, scope, this.#checks);
      const write = `w.byte(1); w.text(k); ${this.#write(value, 'x')} continue;`;
      return fits === 'true' ? write : `if (${fits}) { ${write} }`;
    });
    const rest = unknown === 'keep' ? `w.byte(1); w.text(k); ${this.#helper('writeValue')}(w, x);` : '';
    return `for (const k of Object.keys(v)) { const x = v[k]; if (x === undefined) continue; ${known}${branches.join(' ')} ${rest} } w.byte(0);`;
  }

  /** How many items there are beside those that are there always; a byte before each that may be missing. */
  #tuple(shape: TupleShape): string {
    const { items, rest, last = [] } = shape;
    const lines = [`${this.#helper('listIs')}(v);`];
    const needed = items.filter((item) => item.optional !== true).length;
    if (isOpen(shape)) lines.push(`w.size(Math.max(0, v.length - ${needed + last.length}));`);
    for (const [at, item] of items.entries()) {
      const write = this.#write(item.shape, `v[${at}]`);
      if (item.optional !== true) lines.push(write);
      else lines.push(`if (v.length > ${at + last.length}) { if (v[${at}] === undefined) w.byte(0); else { w.byte(1); ${write} } }`);
    }
    if (rest !== undefined) lines.push(`for (let i = ${items.length}; i < v.length - ${last.length}; i++) { ${this.#item(rest, 'v[i]')} }`);
    for (const [at, item] of last.entries()) lines.push(this.#write(item.shape, `v[v.length - ${last.length - at}]`));
    return lines.join(' ');
  }

  #union(shape: UnionShape, scope: Scope): string {
    const { discriminator } = shape;
    const members = this.#layout.members(shape);
    const refuse = `${this.#helper('noChoice')}(v);`;
    const chosen = ([member]: readonly [Shape, number], number: number): string => `w.size(${number}); ${this.#write(member, 'v')} return;`;
    if (discriminator === undefined) {
      const choices = choicesOf(
        members.map(([member]) => member),
        this.#module,
        (member) => this.#checks.expression(member, 'v', scope),
      );
      const lines = choices.map(({ test, at }) => `if (${test}) { ${chosen(members[at] as readonly [Shape, number], at)} }`);
      return `${lines.join(' ')} ${refuse}`;
    }
    const branches = members.map((one, number) => {
      const labels = discriminator.cases.filter(([, index]) => index === one[1]).map(([told]) => `case ${literal(told)}: `);
      return `${labels.join('')}${chosen(one, number)}`;
    });
    const told = memberOf('v', discriminator.key, () => this.#helper('own'));
    return `${this.#helper('objectIs')}(v); switch (${told}) { ${branches.join(' ')} } ${refuse}`;
  }

  #helper(name: string): string {
    return this.#module.helper(name);
  }
}

/** Lists of these are written as one block. */
export const isNumbers = (items: Shape): items is NumberShape =>
  items.kind === 'number' && items.allowsNonFinite !== true && items.default === undefined;
