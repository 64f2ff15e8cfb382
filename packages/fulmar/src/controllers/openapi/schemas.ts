/**
 * Classes with `@ApiProperty()` as schemas of a document, each once by its name.
 */
import { read, readOwn } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import { SchemaComponents } from '../../app/openapi/components.ts';
import type { JsonSchema } from '../../app/openapi/document-types.ts';
import { API } from './keys.ts';
import { toOlder } from './older-schema.ts';
import { type Given, only, pathOf, resolved, said, typeName, unlisted, without } from './given.ts';

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array]);
const COMBINATORS = ['oneOf', 'anyOf', 'allOf'];
/** What is said of a list's member is about what is in it. */
const OF_ITEMS = ['format', 'maximum', 'maxLength', 'minimum', 'minLength', 'pattern'];
const NOT_OF_SCHEMAS = ['name', 'isArray', 'enumName', 'required'];

/** The names of a class's members, in their order, with those that it has inherited. */
export function propertyNames(prototype: object): string[] {
  return (read<readonly string[]>(API.propertyNames, prototype) ?? []).map((name) => name.slice(1));
}

export function propertyOf(prototype: object, name: string): Given {
  return read<Given>(API.properties, prototype, name) ?? {};
}

export class Schemas {
  /** Of classes and enums. */
  readonly #all: Record<string, Given> = {};
  readonly #reserved = new Set<string>();
  readonly #pending = new Set<unknown>();
  /** Those that other schemas name themselves. */
  readonly #components = new SchemaComponents();

  /**
   * A JSON Schema as it stands where it is used; what it names itself stands once. `base`: a name where it needs one, `suffix`
   * tells those of one name apart.
   */
  written(schema: JsonSchema, base: string, suffix: string): Given {
    return toOlder(this.#components.add(schema, base, suffix));
  }

  /** What a schema that is written leads to, where it is a reference. */
  resolved(schema: Given): Given {
    return toOlder(this.#components.resolve(schema));
  }

  /** Of classes, of enums and of other schemas. */
  components(): Record<string, Given> {
    const others = Object.entries(this.#components.toJSON()).filter(([name]) => !this.#reserved.has(name));
    return { ...this.#all, ...Object.fromEntries(others.map(([name, schema]) => [name, toOlder(schema)])) };
  }

  /** An enum with a name of its own. */
  addEnum(name: string, schema: Given): void {
    this.#reserve(name);
    this.#all[name] ??= schema;
  }

  /** Others come by another name from now on. @throws TypeError where one has it already */
  #reserve(name: string): void {
    if (this.#reserved.has(name)) return;
    if (this.#components.get(name) !== undefined)
      throw new TypeError(
        `Two schemas have the name ${name}: a schema of a route, and a class or an enum. Give one of them another: @ApiSchema({ name }).`,
      );
    this.#reserved.add(name);
    this.#components.define(name, { 'x-reserved': name });
  }

  /** @throws TypeError for what is no class, and for members of which nobody says what they are */
  reference(given: unknown): { readonly $ref: string } {
    return { $ref: pathOf(this.add(given)) };
  }

  /** Its name. */
  add(given: unknown): string {
    const type = resolved(given);
    if (typeof type !== 'function')
      throw new TypeError(`A schema is made of a class, and this is ${String(type)}: its file may import this one.`);
    const { name = type.name, ...more } = readOwn<readonly { name?: string }[]>(API.schema, type)?.at(-1) ?? {};
    if (!this.#pending.has(type)) {
      this.#pending.add(type);
      this.#reserve(name);
      this.#all[name] = { ...this.#objectOf(type as Type), ...more };
    }
    return name;
  }

  #objectOf(type: Type): Given {
    const prototype = type.prototype as object;
    const names = propertyNames(prototype);
    const members = names.map((key) => this.property(propertyOf(prototype, key), `${type.name}.${key}`));
    const keyOf = (at: number): string => String(members[at]?.['name'] ?? names[at]);
    const required = names.flatMap((_name, at) => {
      const { required: own } = members[at] as Given;
      return own === false || Array.isArray(own) ? [] : [keyOf(at)];
    });
    const properties = Object.fromEntries(
      members.map((member, at) => [
        keyOf(at),
        without(said(member), ...NOT_OF_SCHEMAS.filter((one) => one !== 'required' || !Array.isArray(member['required']))),
      ]),
    );
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  /** A member as its schema, with what `required` and `name` say of it beside. */
  property(given: Given, where: string): Given {
    const { type, isArray } = unlisted(resolved(given['type']), given['isArray']);
    const metadata: Given = { ...given, type, isArray };
    if (Array.isArray(type)) return { ...without(metadata, 'type', 'isArray'), type: 'array', items: this.#nested(type, where) };
    const combinator = COMBINATORS.find((one) => one in metadata);
    if (combinator !== undefined) return combined(metadata, combinator);
    if (metadata['enum'] !== undefined || (metadata['items'] as Given | undefined)?.['enum'] !== undefined) return this.#enumOf(metadata);
    return isArray === true ? this.#list(metadata, where) : this.#single(metadata, where);
  }

  #nested(type: unknown, where: string): Given {
    if (Array.isArray(type)) return { type: 'array', items: this.#nested(type[0], where) };
    return this.#itemOf(type, where);
  }

  #itemOf(type: unknown, where: string): Given {
    if (typeof type === 'string') return { type };
    if (type === Date) return { format: 'date-time', type: 'string' };
    if (type === BigInt) return { format: 'int64', type: 'integer' };
    if (type === Array) return { type: 'array', items: { type: 'string' } };
    if (BUILT_IN.has(type)) return { type: typeName(type) };
    return this.reference(known(type, where));
  }

  #list(metadata: Given, where: string): Given {
    const items = { ...this.#itemOf(metadata['type'], where), ...only(metadata, ...OF_ITEMS) };
    return { ...without(metadata, ...OF_ITEMS, 'isArray'), type: 'array', items };
  }

  #single(metadata: Given, where: string): Given {
    const item = this.#itemOf(metadata['type'], where);
    const rest = without(metadata, 'type', 'isArray');
    if (!('$ref' in item)) return { ...item, ...said(rest), type: item['type'] };
    const more = without(said(rest), 'required', 'name');
    if (Object.keys(more).length === 0) return { ...rest, ...item };
    return { ...rest, ...(more['nullable'] === true && { type: 'object' }), allOf: [item] };
  }

  /** Of its own name it stands once, and what uses it refers to it. */
  #enumOf(metadata: Given): Given {
    const { enumName, isArray } = metadata;
    const rest = without(metadata, 'isArray', 'enumName');
    if (typeof enumName !== 'string') return rest;
    const own = (isArray === true ? metadata['items'] : metadata) as Given;
    this.addEnum(enumName, said({ type: own['type'], enum: own['enum'], description: metadata['description'] }));
    const reference = { $ref: pathOf(enumName) };
    if (isArray === true) return { ...rest, type: 'array', items: reference };
    return { ...without(rest, 'enum', 'type'), allOf: [reference] };
  }
}

function combined(metadata: Given, combinator: string): Given {
  if (metadata['isArray'] !== true && metadata['type'] !== 'array') return without(metadata, 'type', 'isArray');
  return { ...without(metadata, combinator, 'isArray'), type: 'array', items: { [combinator]: metadata[combinator] } };
}

/** @throws TypeError */
function known(type: unknown, where: string): unknown {
  if (typeof type === 'function') return type;
  const found = type === undefined ? 'nothing' : type === null ? 'null' : `something of type ${typeof type}`;
  throw new TypeError(
    `The type of ${where} is ${found}, and a document needs a class, a type's name or a list with one. ` +
      `Give @ApiProperty({ type: () => Class }): without emitDecoratorMetadata, and where two files import each other, no type is known.`,
  );
}
