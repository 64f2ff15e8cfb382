/**
 * Shapes to expressions that make values of what came out of JSON, behind the check of its `wire` form: dates
 * of texts, maps of pairs, objects of declared members alone. Objects are made anew, so that no member of the
 * input reaches a prototype. By columns, the same walk makes of a value what is written of it in bytes.
 */
import type { ObjectShape, Property, Shape, TupleShape, UnionShape } from '../../../fulmar/src/shape/shape.ts';
import { hasOthers, mayMiss } from './binary-layout.ts';
import type { Checks } from './checks.ts';
import { mayBeUndefined } from './cost.ts';
import { keyOf, literal, memberOf } from './literals.ts';
import { codecConstant, type Module, Scope } from './module.ts';
import { keyCheck } from './object-check.ts';

export class Decoder {
  readonly #module: Module;
  readonly #checks: Checks;
  /** From values: lists of objects become columns, to be written in bytes at once, and what has a codec what that makes of it. */
  readonly #byColumns: boolean;

  /** `checks`: of the `wire` form; of values by columns. */
  constructor(module: Module, checks: Checks, byColumns = false) {
    this.#module = module;
    this.#checks = checks;
    this.#byColumns = byColumns;
    if (!byColumns) checks.decode = (shape) => this.function(shape);
  }

  /** The name of a function `(value)`. */
  function(shape: Shape): string {
    return this.#module.function(this.#byColumns ? 'columns' : 'decode', shape, (name) => {
      if (shape.kind === 'object') return this.#object(shape, name);
      if (shape.kind === 'union') return this.#union(shape, name);
      if (shape.kind === 'tuple') return this.#tuple(shape, name);
      if (shape.kind === 'array') {
        const columns = this.#byColumns ? this.#columns(shape.items, name) : undefined;
        if (columns !== undefined) return columns;
        const item = this.#expression(shape.items, 'x');
        return `function ${name}(v) { const n = v.length, o = new Array(n); for (let i = 0; i < n; i++) { const x = v[i]; o[i] = ${item}; } return o; }`;
      }
      return `function ${name}(v) { return ${this.#expression(shape, 'v')}; }`;
    });
  }

  #expression(shape: Shape, value: string): string {
    if (this.#isSame(shape, new Set())) return value;
    switch (shape.kind) {
      case 'bigint':
      case 'date':
      case 'url':
        return `${this.#module.helper(`${shape.kind}Of`)}(${value})`;
      case 'literal':
      case 'enum':
        return `${this.#module.helper('literalOf')}(${value}, ${this.#module.constant(literal(shape.kind === 'enum' ? shape.values : [shape.value]))})`;
      case 'bytes':
        return `${this.#module.helper('bytesOf')}(${value}, ${literal(shape.type)})`;
      case 'map':
        return `${this.#module.helper('mapOf')}(${value}, ${this.function(shape.key)}, ${this.function(shape.value)})`;
      case 'set':
        return `${this.#module.helper('setOf')}(${value}, ${this.function(shape.items)})`;
      case 'codec': {
        const codec = codecConstant(shape.name, this.#module);
        if (this.#byColumns) return this.#expression(shape.wire, `${codec}.encode(${value})`);
        return `(${codec}.is(${value}) ? ${value} : ${codec}.decode(${this.#expression(shape.wire, value)}))`;
      }
      case 'reference':
        return `${this.function(this.#module.definitions[shape.name] ?? { kind: 'never' })}(${value})`;
      case 'intersection':
        return this.#expression(shape.members[0] ?? { kind: 'any' }, value);
      default:
        return `${this.function(shape)}(${value})`;
    }
  }

  /** Is what came the value already? Objects never are: their members are the declared ones. */
  #isSame(shape: Shape, open: ReadonlySet<string>): boolean {
    switch (shape.kind) {
      case 'object':
      case 'codec':
        return false;
      case 'bigint':
      case 'date':
      case 'url':
      case 'bytes':
        return this.#byColumns;
      case 'map':
        return this.#byColumns && this.#isSame(shape.key, open) && this.#isSame(shape.value, open);
      case 'set':
        return this.#byColumns && this.#isSame(shape.items, open);
      case 'literal':
        return this.#byColumns || typeof shape.value !== 'bigint';
      case 'enum':
        return this.#byColumns || shape.values.every((one) => typeof one !== 'bigint');
      case 'array':
        return this.#isSame(shape.items, open);
      case 'tuple':
        return (
          [...shape.items, ...(shape.last ?? [])].every((item) => this.#isSame(item.shape, open)) &&
          (shape.rest === undefined || this.#isSame(shape.rest, open))
        );
      case 'union':
      case 'intersection':
        return shape.members.every((member) => this.#isSame(member, open));
      case 'reference':
        return (
          open.has(shape.name) || this.#isSame(this.#module.definitions[shape.name] ?? { kind: 'never' }, new Set([...open, shape.name]))
        );
      default:
        return true;
    }
  }

  #tuple({ items, rest, last = [] }: TupleShape, name: string): string {
    const lines = items.map(
      ({ shape, optional }, at) => `${optional === true ? `if (v.length > ${at}) ` : ''}o.push(${this.#expression(shape, `v[${at}]`)});`,
    );
    if (rest !== undefined)
      lines.push(`for (let i = ${items.length}; i < v.length - ${last.length}; i++) o.push(${this.#expression(rest, 'v[i]')});`);
    for (const [at, { shape }] of last.entries()) lines.push(`o.push(${this.#expression(shape, `v[v.length - ${last.length - at}]`)});`);
    return `function ${name}(v) { const o = []; ${lines.join(' ')} return o; }`;
  }

  #object(shape: ObjectShape, name: string): string {
    const { properties, index = [], unknown } = shape;
    if (properties.length === 0 && index.length === 0 && unknown === 'keep') return `function ${name}(v) { return v; }`;
    const sure = properties.filter((property) => property.presence === 'required' && property.shape.default === undefined);
    const members = sure.map((property) => `${keyOf(property.name)}: ${this.#expression(property.shape, this.#member(property))}`);
    const scope = new Scope();
    const lines = properties.filter((property) => !sure.includes(property)).map((property) => this.#optional(property, scope));
    if (index.length > 0 || unknown === 'keep') lines.push(this.#others(shape, scope));
    const made = `{ ${members.join(', ')} }`;
    if (lines.length === 0) return `function ${name}(v) { return ${made}; }`;
    return `function ${name}(v) { ${scope.declaration()}const o = ${made}; ${lines.join(' ')} return o; }`;
  }

  /** Of objects that all have all members, and no others. An empty list has none. */
  #columns(items: Shape, name: string): string | undefined {
    const shape = items.kind === 'reference' ? this.#module.definitions[items.name] : items;
    if (shape?.kind !== 'object' || shape.properties.length === 0 || hasOthers(shape)) return undefined;
    const { properties } = shape;
    if (properties.some((one) => one.name === '__proto__' || mayMiss(one) || mayBeUndefined(one.shape, this.#module.definitions)))
      return undefined;
    const made = properties.map((_, at) => `c${at} = new Array(n)`);
    const lines = properties.map(
      (property, at) =>
        `c${at}[i] = ${this.#expression(
          property.shape,
          memberOf('x', property.name, () => this.#module.helper('own')),
        )};`,
    );
    const names = this.#module.constant(literal(properties.map((property) => property.name)));
    const columns = `new ${this.#module.helper('Columns')}(${names}, [${properties.map((_, at) => `c${at}`).join(', ')}])`;
    return `function ${name}(v) { const n = v.length; if (n === 0) return v; const ${made.join(', ')}; for (let i = 0; i < n; i++) { const x = v[i]; ${lines.join(' ')} } return ${columns}; }`;
  }

  #member({ name }: Property): string {
    return memberOf('v', name, () => this.#module.helper('own'));
  }

  #optional(property: Property, scope: Scope): string {
    const value = scope.temporary();
    const { name, shape } = property;
    const target = name === '__proto__' ? undefined : /^[A-Za-z$_][\w$]*$/.test(name) ? `o.${name}` : `o[${literal(name)}]`;
    const put = (what: string): string =>
      target === undefined ? `${this.#module.helper('put')}(o, ${literal(name)}, ${what})` : `${target} = ${what}`;
    const missing =
      shape.default === undefined || this.#byColumns
        ? ''
        : ` else ${put(`${this.#module.helper('copy')}(${this.#module.constant(literal(shape.default.value))})`)};`;
    return `${value} = ${this.#member(property)}; if (${value} !== undefined) ${put(this.#expression(shape, value))};${missing}`;
  }

  #others({ properties, index = [], unknown }: ObjectShape, scope: Scope): string {
    const known =
      properties.length === 0
        ? ''
        : `if (${this.#module.constant(`new Set(${literal(properties.map(({ name }) => name))})`)}.has(k)) continue; `;
    const put = this.#module.helper('put');
    const branches = index.map(({ key, value }) => {
      const fits = keyCheck(key, scope, this.#checks);
      const write = `${put}(o, k, ${this.#expression(value, 'v[k]')}); continue;`;
      return fits === 'true' ? `{ ${write} }` : `if (${fits}) { ${write} }`;
    });
    return `for (const k of Object.keys(v)) { ${known}${branches.join(' ')} ${unknown === 'keep' ? `${put}(o, k, v[k]);` : ''} }`;
  }

  #union({ members, discriminator }: UnionShape, name: string): string {
    if (discriminator !== undefined) {
      const { key, cases } = discriminator;
      const branches = members.map((member, at) => {
        const labels = cases.filter(([, index]) => index === at).map(([told]) => `case ${literal(told)}: `);
        return `${labels.join('')}return ${this.#expression(member, 'v')};`;
      });
      const told = memberOf('v', key, () => this.#module.helper('own'));
      return `function ${name}(v) { switch (${told}) { ${branches.join(' ')} default: return v; } }`;
    }
    const scope = new Scope();
    // The depth was counted by the check of the whole. Its steps are counted on, as every level asks again: where they are
    // too many no member is told, and what came is not handed on for what it should have become.
    const lines = members.map((member) => `if (${this.#checks.expression(member, 'v', scope)}) return ${this.#expression(member, 'v')};`);
    return `function ${name}(v) { const d = 0; ${scope.declaration()}${lines.join(' ')} return ${this.#module.helper('untold')}(v); }`;
  }
}
