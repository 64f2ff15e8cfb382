/**
 * The long way from JSON to values, for what does not fit: whatever of it can be made is made, so that what is
 * told of the rest is told of the type as the application knows it. Compiled code has the short way.
 */
import type { CodecShape, ShapeDocument, Shape, UnionShape } from '../shape/shape.ts';
import { codecOf, reads } from '../shape/validate/codecs.ts';
import { compileShape } from '../shape/validate/compile.ts';
import { isPlainObject, Kind, kindOf } from '../shape/validate/kind.ts';
import { copyOf, setMember } from '../shape/validate/copy.ts';
import { DEPTH_MAX } from './limits.ts';
import { bigintOf, bigintText, bytesOf, bytesWire, dateOf, dateWire, literalOf, urlOf, urlWire } from './wire.ts';

export function restore({ root, definitions }: ShapeDocument, value: unknown): unknown {
  return new Restorer(definitions).value(root, value, 0);
}

class Restorer {
  readonly #definitions: ShapeDocument['definitions'];

  constructor(definitions: ShapeDocument['definitions']) {
    this.#definitions = definitions;
  }

  value(shape: Shape, value: unknown, depth: number): unknown {
    if (depth > DEPTH_MAX) return value;
    if (value === undefined && shape.default !== undefined) return copyOf(shape.default.value);
    switch (shape.kind) {
      case 'date':
        return dateWire(value) ? dateOf(value) : value;
      case 'url':
        return urlWire(value) ? urlOf(value) : value;
      case 'bigint':
        return bigintText(value) === undefined ? value : bigintOf(value);
      case 'literal':
        return literalOf(value, [shape.value]) ?? value;
      case 'enum':
        return literalOf(value, shape.values) ?? value;
      case 'bytes':
        return bytesWire(value, shape.type, 0, Infinity) ? bytesOf(value, shape.type) : value;
      case 'codec':
        return this.#instance(shape, value, depth);
      case 'reference':
        return this.value(this.#definitions[shape.name] ?? { kind: 'any' }, value, depth + 1);
      case 'union':
        return this.value(this.#memberOf(shape, value), value, depth + 1);
      default:
        return this.#composite(shape, value, depth + 1);
    }
  }

  #instance({ name, wire }: CodecShape, value: unknown, depth: number): unknown {
    const codec = codecOf(name);
    if (codec.is(value)) return value;
    const sent = this.value(wire, value, depth + 1);
    const isRight = compileShape({ root: wire, definitions: this.#definitions }).check(sent);
    return isRight && reads(codec, sent) ? codec.decode(sent) : value;
  }

  #composite(shape: Shape, value: unknown, depth: number): unknown {
    if (Array.isArray(value)) {
      if (shape.kind === 'array') return value.map((item) => this.value(shape.items, item, depth));
      if (shape.kind === 'set') return new Set(value.map((item) => this.value(shape.items, item, depth)));
      if (shape.kind === 'tuple')
        return value.map((item, at) => this.value(shape.items[at]?.shape ?? shape.rest ?? { kind: 'any' }, item, depth));
      if (shape.kind !== 'map' || !value.every((entry) => Array.isArray(entry) && entry.length === 2)) return value;
      return new Map(value.map(([key, member]) => [this.value(shape.key, key, depth), this.value(shape.value, member, depth)] as const));
    }
    if (shape.kind !== 'object' || !isPlainObject(value)) return value;
    const made = {};
    for (const [key, member] of Object.entries(value)) {
      const property = shape.properties.find(({ name }) => name === key);
      setMember(made, key, this.value(property?.shape ?? shape.index?.[0]?.value ?? { kind: 'any' }, member, depth));
    }
    for (const { name, shape: inner } of shape.properties) {
      if (!Object.hasOwn(made, name) && inner.default !== undefined) setMember(made, name, copyOf(inner.default.value));
    }
    return made;
  }

  /** The member that the value was most likely meant to be. */
  #memberOf({ members, discriminator }: UnionShape, value: unknown): Shape {
    if (discriminator !== undefined && isPlainObject(value)) {
      const told = value[discriminator.key];
      const at = discriminator.cases.find(([one]) => one === told)?.[1];
      return (at === undefined ? undefined : members[at]) ?? { kind: 'any' };
    }
    return members.find((member) => this.#mayBe(member, value, 0)) ?? { kind: 'any' };
  }

  #mayBe(shape: Shape, value: unknown, depth: number): boolean {
    const kind = kindOf(value);
    if (shape.kind === 'reference' && depth < DEPTH_MAX)
      return this.#mayBe(this.#definitions[shape.name] ?? { kind: 'any' }, value, depth + 1);
    if (shape.kind === 'codec' && depth < DEPTH_MAX) return codecOf(shape.name).is(value) || this.#mayBe(shape.wire, value, depth + 1);
    if (shape.kind === 'date') return dateWire(value);
    if (shape.kind === 'bigint') return bigintText(value) !== undefined;
    if (shape.kind === 'url') return urlWire(value);
    if (shape.kind === 'bytes') return bytesWire(value, shape.type, 0, Infinity);
    if (shape.kind === 'literal' || shape.kind === 'enum')
      return literalOf(value, shape.kind === 'enum' ? shape.values : [shape.value]) !== undefined;
    if (shape.kind === 'object') {
      return (
        kind === Kind.OBJECT &&
        shape.properties.every(
          ({ name, presence }) => presence !== 'required' || (value as object as Record<string, unknown>)[name] !== undefined,
        )
      );
    }
    if (['array', 'tuple', 'map', 'set'].includes(shape.kind)) return kind === Kind.ARRAY;
    return shape.kind === 'any' || shape.kind === typeof value || (shape.kind === 'null' && value === null);
  }
}
