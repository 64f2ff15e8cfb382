/**
 * Shapes to expressions that read a value of the binary form. What they give is of the shape but for formats,
 * ranges and lengths; objects are made anew, of declared members, and counts are held against what is there.
 */
import type { CodecShape, ObjectShape, Property, Shape, TupleShape, UnionShape } from '../../../fulmar/src/shape/shape.ts';
import { hasOthers, isOpen, type Layout, mayMiss } from './binary-layout.ts';
import { BITS, isNumbers } from './binary-writer.ts';
import { type Checks, isLevel } from './checks.ts';
import { keyOf, literal } from './literals.ts';
import { codecConstant, type Module, Scope } from './module.ts';
import { keyCheck } from './object-check.ts';

/** Kinds that are one call of the reader. */
const CALLS: Readonly<Partial<Record<Shape['kind'], string>>> = {
  boolean: 'boolean',
  string: 'text',
  template: 'text',
  bigint: 'bigint',
  date: 'date',
  url: 'url',
};

export class BinaryReader {
  readonly #module: Module;
  readonly #checks: Checks;
  readonly #layout: Layout;

  constructor(module: Module, checks: Checks, layout: Layout) {
    this.#module = module;
    this.#checks = checks;
    this.#layout = layout;
  }

  /** The name of a function `(reader, depth)`. */
  function(shape: Shape): string {
    return this.#module.function('read', shape, (name) => `function ${name}(r, d) { ${this.#body(shape)} }`);
  }

  #body(shape: Shape): string {
    switch (shape.kind) {
      case 'object':
        return this.#object(shape);
      case 'union':
        return this.#union(shape);
      case 'tuple':
        return this.#tuple(shape);
      case 'array':
        if (isNumbers(shape.items)) return `return ${this.#read(shape)};`;
        return `const o = []; for (let n = r.count(); n > 0; n--) o.push(${this.#item(shape.items)}); return o;`;
      case 'set':
        return `const o = new Set(); for (let n = r.entries(); n > 0; n--) o.add(${this.#item(shape.items)}); return o;`;
      case 'map':
        return `const o = new Map(); for (let n = r.entries(); n > 0; n--) o.set(${this.#item(shape.key)}, ${this.#item(shape.value)}); return o;`;
      default:
        return `return ${this.#read(shape)};`;
    }
  }

  #item(shape: Shape): string {
    return this.#layout.isEmpty(shape) ? `(r.byte(), ${this.#read(shape)})` : this.#read(shape);
  }

  #read(shape: Shape): string {
    const call = CALLS[shape.kind];
    if (call !== undefined) return `r.${call}()`;
    switch (shape.kind) {
      case 'never':
        return 'r.refuse("nothing", "a value")';
      case 'null':
      case 'undefined':
        return shape.kind;
      case 'literal':
        return literal(shape.value);
      case 'number':
        return `r.${shape.integer === true ? 'integer' : shape.allowsNonFinite === true ? 'anyNumber' : 'number'}()`;
      case 'enum':
        return `${this.#module.constant(literal(this.#layout.values(shape)))}[r.choice(${shape.values.length})]`;
      case 'bytes':
        return `${this.#module.helper('readBytes')}(r, ${literal(shape.type)})`;
      case 'any':
        return `${this.#module.helper('readValue')}(r)`;
      case 'array':
        if (isNumbers(shape.items)) return `r.${shape.items.integer === true ? 'integers' : 'numbers'}()`;
        break;
      case 'intersection':
        return this.#read(shape.members[0] ?? { kind: 'any' });
      case 'codec':
        return this.#codec(shape);
      case 'reference':
        return this.#reference(shape.name);
    }
    return `${this.function(shape)}(r, d)`;
  }

  /** What its codec makes an instance of is checked before, as in JSON. */
  #codec({ name, wire }: CodecShape): string {
    const codec = codecConstant(name, this.#module);
    const read = this.#module.function(`read codec ${name}`, wire, (own) => {
      const fits = `${this.#checks.whole(wire, 'v')} && ${codec}.reads(v)`;
      return `function ${own}(r, v) { return ${fits} ? ${codec}.decode(v) : r.refuse(${literal(`what ${name} is made of`)}, "another value"); }`;
    });
    return `${read}(r, ${this.#read(wire)})`;
  }

  #reference(name: string): string {
    const target = this.#module.definitions[name] ?? { kind: 'never' };
    if (!this.#module.recursive.has(name)) return this.#read(target);
    return `${this.function(target)}(r, ${isLevel(target) ? 'r.deeper(d)' : 'd'})`;
  }

  #object(shape: ObjectShape): string {
    const properties = this.#layout.properties(shape);
    const missing = properties.filter(mayMiss);
    const lines: string[] = [];
    for (let from = 0; from < missing.length; from += BITS) lines.push(`const b${from / BITS} = r.byte();`);
    const bit = (property: Property): string => {
      const at = missing.indexOf(property);
      return `b${Math.floor(at / BITS)} & ${2 ** (at % BITS)}`;
    };
    const local = new Map(properties.map((property, at) => [property, `m${at}`] as const));
    for (const [property, name] of local) {
      const value = this.#read(property.shape);
      lines.push(`const ${name} = ${mayMiss(property) ? `${bit(property)} ? ${value} : undefined` : value};`);
    }
    const sure = shape.properties.filter((property) => !mayMiss(property)).map((one) => `${keyOf(one.name)}: ${local.get(one)}`);
    lines.push(`const o = { ${sure.join(', ')} };`);
    for (const property of shape.properties.filter(mayMiss)) lines.push(this.#optional(property, bit(property), local.get(property) ?? ''));
    if (hasOthers(shape)) lines.push(this.#others(shape));
    return `${lines.join(' ')} return o;`;
  }

  #optional({ name, shape }: Property, bit: string, value: string): string {
    const put = (what: string): string => `${this.#module.helper('put')}(o, ${literal(name)}, ${what});`;
    const made = name === '__proto__' ? put(value) : `o[${literal(name)}] = ${value};`;
    if (shape.default === undefined) return `if (${bit}) ${made}`;
    const copy = `${this.#module.helper('copy')}(${this.#module.constant(literal(shape.default.value))})`;
    return `if (${bit}) { ${made} } else { ${put(copy)} }`;
  }

  #others(shape: ObjectShape): string {
    const { properties, unknown } = shape;
    const scope = new Scope();
    const put = this.#module.helper('put');
    const wrong = 'r.refuse("the name of a member that has no place of its own", "another");';
    const known =
      properties.length === 0
        ? ''
        : `if (${this.#module.constant(`new Set(${literal(properties.map(({ name }) => name))})`)}.has(k)) ${wrong} `;
    const branches = this.#layout.index(shape).map(({ key, value }) => {
      const fits = keyCheck(key, scope, this.#checks);
      const read = `${put}(o, k, ${this.#read(value)}); continue;`;
      return fits === 'true' ? read : `if (${fits}) { ${read} }`;
    });
    const rest = unknown === 'keep' ? `${put}(o, k, ${this.#module.helper('readValue')}(r));` : wrong;
    return `${scope.declaration()}while (r.boolean()) { const k = r.text(); ${known}${branches.join(' ')} ${rest} }`;
  }

  #tuple(shape: TupleShape): string {
    const { items, rest, last = [] } = shape;
    const optional = items.filter((item) => item.optional === true).length;
    const lines = ['const o = [];'];
    if (isOpen(shape)) lines.push(`let n = ${rest === undefined ? `r.choice(${optional + 1})` : 'r.count()'};`);
    for (const item of items) {
      const read = this.#read(item.shape);
      lines.push(item.optional === true ? `if (n > 0) { n--; o.push(r.boolean() ? ${read} : undefined); }` : `o.push(${read});`);
    }
    if (rest !== undefined) lines.push(`for (; n > 0; n--) o.push(${this.#item(rest)});`);
    for (const item of last) lines.push(`o.push(${this.#read(item.shape)});`);
    return `${lines.join(' ')} return o;`;
  }

  #union(shape: UnionShape): string {
    const members = this.#layout.members(shape);
    const branches = members.map(([member], number) => `case ${number}: return ${this.#read(member)};`);
    return `switch (r.choice(${members.length})) { ${branches.join(' ')} }`;
  }
}
