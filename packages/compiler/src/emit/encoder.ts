/**
 * Shapes to expressions that give the JSON of a value: what JSON.stringify gives for it, of declared members
 * alone, and with a form for dates, bigints, maps, sets and bytes. Trusts the type; what contains itself is
 * an error.
 */
import type { ArrayShape, LiteralValue, ObjectShape, Property, Shape, TupleShape, UnionShape } from '../../../fulmar/src/shape/shape.ts';
import { DEPTH_MAX } from '../../../fulmar/src/shape/validate/depth.ts';
import type { Checks } from './checks.ts';
import { mayBeUndefined } from './cost.ts';
import { choicesOf } from './kinds.ts';
import { literal, memberOf } from './literals.ts';
import { codecConstant, type Module, Scope } from './module.ts';
import { keyCheck } from './object-check.ts';
import { Projection } from './projection.ts';

export class Encoder {
  readonly #module: Module;
  readonly #checks: Checks;
  readonly #projection: Projection;

  constructor(module: Module, checks: Checks) {
    this.#module = module;
    this.#checks = checks;
    this.#projection = new Projection(module);
  }

  /** The name of a function `(value, depth)` that gives a text. */
  function(shape: Shape): string {
    return this.#module.function('encode', shape, (name) => {
      if (shape.kind === 'object') return this.#object(shape, name);
      if (shape.kind === 'union') return this.#union(shape, name);
      if (shape.kind === 'tuple') return this.#tuple(shape, name);
      if (shape.kind === 'array') return this.#list(name, shape);
      if (shape.kind === 'set') return this.#each(name, shape.items);
      if (shape.kind === 'map') return this.#each(name, { kind: 'tuple', items: [{ shape: shape.key }, { shape: shape.value }] });
      return `function ${name}(v, d) { return ${this.#expression(shape, 'v')}; }`;
    });
  }

  #expression(shape: Shape, value: string): string {
    const helper = (name: string): string => `${this.#module.helper(name)}(${value})`;
    switch (shape.kind) {
      case 'null':
      case 'undefined':
      case 'never':
        return '"null"';
      case 'boolean':
        return `(${value} ? "true" : "false")`;
      case 'number':
        return helper('numberJson');
      case 'literal':
        return literal(jsonOfLiteral(shape.value));
      case 'string':
      case 'template':
        return helper('text');
      case 'enum':
        return shape.values.some((one) => typeof one === 'bigint') || shape.values.includes(undefined)
          ? helper('scalar')
          : shape.values.every((one) => typeof one === 'string')
            ? helper('text')
            : helper('scalar');
      case 'bigint':
      case 'date':
      case 'bytes':
      case 'url':
      case 'regexp':
        return helper(`${shape.kind}Json`);
      case 'codec':
        return `${this.function(shape.wire)}(${codecConstant(shape.name, this.#module)}.encode(${value}), d)`;
      case 'reference':
        return this.#reference(shape.name, value);
      case 'any':
        return `(${helper('json')} ?? "null")`;
      case 'intersection':
        return this.#expression(shape.members[0] ?? { kind: 'any' }, value);
      default:
        return `${this.function(shape)}(${value}, d)`;
    }
  }

  #reference(name: string, value: string): string {
    const target = this.#module.definitions[name] ?? { kind: 'never' };
    if (!this.#module.recursive.has(name)) return this.#expression(target, value);
    const guarded = this.#module.function('encode deep', { kind: 'reference', name }, (own) => {
      return `function ${own}(v, d) { if (d > ${DEPTH_MAX}) ${this.#module.helper('tooDeep')}(); return ${this.#expression(target, 'v').replaceAll(/, d\)$/g, ', d + 1)')}; }`;
    });
    return `${guarded}(${value}, d)`;
  }

  #list(name: string, shape: ArrayShape): string {
    const json = this.#orNull(shape.items, 'x');
    const whole = this.#projection.attempt(shape);
    return `function ${name}(v, d) { ${whole}let s = "["; for (let i = 0, n = v.length; i < n; i++) { if (i !== 0) s += ","; const x = v[i]; s += ${json}; } return s + "]"; }`;
  }

  #each(name: string, items: Shape): string {
    return `function ${name}(v, d) { let s = ""; for (const x of v) s += "," + ${this.#orNull(items, 'x')}; return "[" + s.slice(1) + "]"; }`;
  }

  /** In an array `undefined` is `null`. */
  #orNull(shape: Shape, value: string): string {
    const json = this.#expression(shape, value);
    return mayBeUndefined(shape, this.#module.definitions) && shape.kind !== 'any' && shape.kind !== 'undefined'
      ? `(${value} === undefined ? "null" : ${json})`
      : json;
  }

  #tuple({ items, rest, last = [] }: TupleShape, name: string): string {
    const scope = new Scope();
    const write = (shape: Shape, member: string): string => {
      const item = scope.temporary();
      return `${item} = ${member}; s += "," + ${this.#orNull(shape, item)};`;
    };
    const lines = items.map(({ shape, optional }, at) =>
      optional === true ? `if (v.length > ${at}) { ${write(shape, `v[${at}]`)} }` : write(shape, `v[${at}]`),
    );
    if (rest !== undefined) lines.push(`for (let i = ${items.length}; i < v.length - ${last.length}; i++) { ${write(rest, 'v[i]')} }`);
    for (const [at, { shape }] of last.entries()) lines.push(write(shape, `v[v.length - ${last.length - at}]`));
    return `function ${name}(v, d) { ${scope.declaration()}let s = ""; ${lines.join(' ')} return "[" + s.slice(1) + "]"; }`;
  }

  #object(shape: ObjectShape, name: string): string {
    if (shape.properties.length === 0 && shape.index === undefined && shape.unknown === 'keep')
      return `function ${name}(v, d) { return ${this.#module.helper('json')}(v) ?? "null"; }`;
    const scope = new Scope();
    const isSure = (property: Property): boolean =>
      property.presence === 'required' && !mayBeUndefined(property.shape, this.#module.definitions);
    const [first] = shape.properties;
    const startsSure = first !== undefined && isSure(first);
    const pieces: string[] = [];
    let open = startsSure ? '{' : '';
    let expression = '';
    const flush = (): void => {
      const text = open === '' ? expression : expression === '' ? literal(open) : `${expression} + ${literal(open)}`;
      if (text !== '') pieces.push(`s += ${text};`);
      open = '';
      expression = '';
    };
    for (const [at, property] of shape.properties.entries()) {
      const key = `${at === 0 && startsSure ? '' : ','}${JSON.stringify(property.name)}:`;
      const member = memberOf('v', property.name, () => this.#module.helper('own'));
      if (isSure(property)) {
        const json = this.#expression(property.shape, member);
        const { shape: inner } = property;
        if (inner.kind === 'literal') {
          open += key + jsonOfLiteral(inner.value);
          continue;
        }
        expression += `${expression === '' ? '' : ' + '}${literal(open + key)} + ${json}`;
        open = '';
        continue;
      }
      flush();
      const value = scope.temporary();
      pieces.push(`${value} = ${member}; ${this.#maybe(property.shape, value, key)}`);
    }
    flush();
    const more = this.#others(shape, scope);
    if (more !== '') pieces.push(more);
    const end = startsSure ? 's + "}"' : '"{" + s.slice(1) + "}"';
    const whole = this.#projection.attempt(shape);
    return `function ${name}(v, d) { ${whole}${scope.declaration()}let s = ""; ${pieces.join(' ')} return ${end}; }`;
  }

  /** A member that may not be there; JSON leaves out what has no form. */
  #maybe(shape: Shape, value: string, key: string): string {
    if (shape.kind === 'any')
      return `${value} = ${this.#module.helper('json')}(${value}); if (${value} !== undefined) s += ${literal(key)} + ${value};`;
    return `if (${value} !== undefined) s += ${literal(key)} + ${this.#expression(shape, value)};`;
  }

  /** Members that index signatures tell of, and those that are kept though nothing tells of them. */
  #others(shape: ObjectShape, scope: Scope): string {
    const { properties, index = [], unknown } = shape;
    if (index.length === 0 && unknown !== 'keep') return '';
    const known =
      properties.length === 0
        ? ''
        : `if (${this.#module.constant(`new Set(${literal(properties.map(({ name }) => name))})`)}.has(k)) continue; `;
    const value = scope.temporary();
    const named = `"," + ${this.#module.helper('text')}(k) + ":"`;
    const branches = index.map(({ key, value: inner }) => {
      const fits = keyCheck(key, scope, this.#checks);
      const write =
        inner.kind === 'any' ? this.#keep(value, named) : `if (${value} !== undefined) s += ${named} + ${this.#expression(inner, value)};`;
      return fits === 'true' ? `{ ${write} continue; }` : `if (${fits}) { ${write} continue; }`;
    });
    const rest = unknown === 'keep' ? this.#keep(value, named) : '';
    return `for (const k of Object.keys(v)) { ${known}${value} = v[k]; ${branches.join(' ')} ${rest}}`;
  }

  #keep(value: string, named: string): string {
    return `${value} = ${this.#module.helper('json')}(${value}); if (${value} !== undefined) s += ${named} + ${value};`;
  }

  #union({ members, discriminator }: UnionShape, name: string): string {
    const encode = (member: Shape): string => this.#expression(member, 'v');
    if (discriminator !== undefined) {
      const { key, cases } = discriminator;
      const branches = members.map((member, at) => {
        const labels = cases.filter(([, index]) => index === at).map(([told]) => `case ${literal(told)}: `);
        return `${labels.join('')}return ${encode(member)};`;
      });
      const told = memberOf('v', key, () => this.#module.helper('own'));
      return `function ${name}(v, d) { switch (${told}) { ${branches.join(' ')} default: return ${this.#module.helper('noMember')}(v); } }`;
    }
    if (members.every(({ kind }) => ['string', 'number', 'boolean', 'null', 'undefined', 'enum', 'literal', 'bigint'].includes(kind))) {
      return `function ${name}(v, d) { return ${this.#module.helper('scalar')}(v); }`;
    }
    const scope = new Scope();
    const choices = choicesOf(members, this.#module, (member) => this.#checks.expression(member, 'v', scope));
    const lines = choices.map(({ test, at }) => `if (${test}) return ${encode(members[at] as Shape)};`);
    return `function ${name}(v, d) { ${scope.declaration()}${lines.join(' ')} return ${this.#module.helper('noMember')}(v); }`;
  }
}

const jsonOfLiteral = (value: LiteralValue): string => (typeof value === 'bigint' ? `"${value}"` : (JSON.stringify(value) ?? 'null'));
