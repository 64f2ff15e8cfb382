/**
 * The schemas of a document: those that have a name (`$id`, an id of their library, `$defs`) stand once, under
 * `components.schemas`, wherever they are used; references lead there. Takes schemas as their libraries give
 * them and changes none of them.
 */
import type { JsonSchema } from './document-types.ts';

type Mutable = Record<string, unknown>;

const DEPTH_MAX = 200;
const NOT_IN_A_NAME = /[^\w.-]+/g;
const PREFIX = '#/components/schemas/';
/** Keywords whose value is data: nothing in them is a schema. */
const DATA = new Set(['default', 'const', 'enum', 'examples', 'example', 'required', 'dependentRequired', 'type']);
/** Keywords with schemas by names that are not keywords. */
const BY_NAME = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

/** One schema on its way into the document. */
interface Entry {
  /** What its own names are put behind, where they say nothing (`__schema0`). */
  readonly base: string;
  readonly suffix: string;
  readonly root: Mutable;
  /** Names of its `$defs`, as the document has them. */
  readonly names: Map<string, string>;
  /** The whole of it, once a reference leads to its root. */
  rootName: string | undefined;
}

export class SchemaComponents {
  readonly #schemas = new Map<string, { schema: Mutable; text: string }>();

  /** `base`: a name for it where one is needed; `suffix` tells the sides of a schema apart. */
  add(given: JsonSchema, base: string, suffix: string): JsonSchema {
    const root = copyOf(given) as Mutable;
    const entry: Entry = { base: toName(base), suffix, root, names: new Map(), rootName: undefined };
    const defs = { ...(root['definitions'] as Mutable | undefined), ...(root['$defs'] as Mutable | undefined) };
    delete root['definitions'];
    delete root['$defs'];
    const texts = new Map(Object.entries(defs).map(([name, schema]) => [name, schema as Mutable]));
    this.#nameDefs(entry, texts);
    if (pointsToRoot(root, texts)) entry.rootName = this.#freeName(toName(idOf(root) ?? base), '');
    for (const [name, schema] of texts) this.#put(entry.names.get(name) as string, this.#clean(schema, entry, 0));
    const schema = this.#clean(root, entry, 0) as Mutable;
    if (entry.rootName === undefined || isReference(schema)) return schema;
    this.#put(entry.rootName, schema);
    return { $ref: PREFIX + entry.rootName };
  }

  /** Sorted by name: a document does not change with the order of registration alone. */
  toJSON(): Record<string, JsonSchema> {
    return Object.fromEntries(
      [...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
    );
  }

  /** One of the document's own, before any other. */
  define(name: string, schema: JsonSchema): void {
    this.#put(name, schema);
  }

  get(name: string): JsonSchema | undefined {
    return this.#schemas.get(name)?.schema;
  }

  /** What a reference of this document leads to. */
  resolve(schema: JsonSchema): JsonSchema {
    let found = schema;
    for (let depth = 0; typeof found['$ref'] === 'string' && depth < DEPTH_MAX; depth++) {
      found = this.get(found['$ref'].slice(PREFIX.length)) ?? {};
    }
    return found;
  }

  /**
   * All get their names before any is put into the document: what they are there depends on the names that their
   * references have. A name that is taken by another schema gets the side, then a number.
   */
  #nameDefs(entry: Entry, defs: ReadonlyMap<string, Mutable>): void {
    for (const name of defs.keys()) entry.names.set(name, toName(name.startsWith('__') ? entry.base + name.slice(1) : name));
    for (let rounds = 0, isSettled = false; !isSettled && rounds <= defs.size; rounds++) {
      isSettled = true;
      for (const [name, schema] of defs) {
        const text = JSON.stringify(this.#clean(copyOf(schema), entry, 0));
        const present = entry.names.get(name) as string;
        if (!this.#isTaken(present, text)) continue;
        entry.names.set(name, this.#freeName(present, entry.suffix, text));
        isSettled = false;
      }
    }
  }

  /** By another schema than this. */
  #isTaken(name: string, text?: string): boolean {
    const before = this.#schemas.get(name);
    return before !== undefined && before.text !== text;
  }

  #freeName(wanted: string, suffix: string, text?: string): string {
    if (!this.#isTaken(wanted, text)) return wanted;
    let name = wanted + suffix;
    for (let count = 2; this.#isTaken(name, text); count++) name = `${wanted}${suffix}${count}`;
    return name;
  }

  #put(name: string, schema: unknown): void {
    this.#schemas.set(name, { schema: schema as Mutable, text: JSON.stringify(schema) });
  }

  /** References rewritten, schemas with an `$id` of their own taken out, what only JSON Schema's files need left out. */
  #clean(value: unknown, entry: Entry, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEPTH_MAX) throw new TypeError(`a schema is nested deeper than ${DEPTH_MAX}`);
    if (Array.isArray(value)) return value.map((one) => this.#clean(one, entry, depth + 1));
    const schema: Mutable = {};
    for (const [key, member] of Object.entries(value)) {
      if (key === '$schema' || key === '$id' || key === 'id') {
        if (key === 'id' && typeof member !== 'string') put(schema, key, member);
      } else if (key === '$ref') schema['$ref'] = this.#referenceOf(String(member), entry);
      else if (DATA.has(key)) put(schema, key, member);
      else if (BY_NAME.has(key)) put(schema, key, this.#cleanByName(member, entry, depth));
      else put(schema, key, this.#clean(member, entry, depth + 1));
    }
    const id = idOf(value as Mutable);
    if (id === undefined || isReference(schema)) return schema;
    const name = this.#freeName(toName(id), entry.suffix, JSON.stringify(schema));
    // A root that refers to itself has its name already.
    if (value === entry.root && entry.rootName !== undefined) return schema;
    this.#put(name, schema);
    return { $ref: PREFIX + name };
  }

  #cleanByName(value: unknown, entry: Entry, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const named: Mutable = {};
    for (const [name, schema] of Object.entries(value)) put(named, name, this.#clean(schema, entry, depth + 1));
    return named;
  }

  #referenceOf(target: string, { names, rootName }: Entry): string {
    const [, local, rest = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)(.*)$/.exec(target) ?? [];
    const known = local === undefined ? undefined : names.get(decodeURIComponent(local.replaceAll('~1', '/').replaceAll('~0', '~')));
    if (known !== undefined) return PREFIX + known + rest;
    if (target.startsWith('#')) return PREFIX + String(rootName) + target.slice(1);
    return PREFIX + toName(target);
  }
}

/** Does a reference lead to the root itself, or into it past its definitions? */
function pointsToRoot(root: Mutable, defs: ReadonlyMap<string, unknown>): boolean {
  const isOwn = (target: string): boolean => target.startsWith('#') && !/^#\/(?:\$defs|definitions)\//.test(target);
  return [root, ...defs.values()].some((schema) => targetsIn(schema, 0).some(isOwn));
}

/** Where the references of a schema lead; what is data holds none. */
function targetsIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) return value.flatMap((one) => targetsIn(one, depth + 1));
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    if (key === '$ref') return [String(member)];
    if (DATA.has(key)) return [];
    const isNamed = BY_NAME.has(key) && typeof member === 'object' && member !== null;
    return isNamed ? Object.values(member).flatMap((one) => targetsIn(one, depth + 1)) : targetsIn(member, depth + 1);
  });
}

const isReference = (schema: Mutable): boolean => Object.keys(schema).length === 1 && '$ref' in schema;

/** The last part of a URL, else all of it. */
function idOf({ $id }: Mutable): string | undefined {
  return typeof $id === 'string' && $id !== '' ? $id : undefined;
}

function toName(id: string): string {
  const last = /^[a-z][a-z+.-]*:/i.test(id)
    ? (id
        .replace(/[#?].*$/, '')
        .replace(/\/+$/, '')
        .split(/[/:]/)
        .at(-1) ?? id)
    : id;
  return last.replace(/\.json$/, '').replaceAll(NOT_IN_A_NAME, '_') || 'Schema';
}

/** `__proto__` is a name like any other. */
function put(target: Mutable, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** As JSON has it: TypeBox's symbols stay behind. */
function copyOf(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)) ?? '{}');
}
