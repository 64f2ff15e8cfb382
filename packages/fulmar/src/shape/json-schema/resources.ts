/**
 * What `$ref` can lead to within one schema: resources with an `$id`, anchors, and places by JSON pointer.
 * Nothing is ever fetched: what is not in the schema does not exist.
 */
import { isObject, type SchemaObject, within } from './keywords.ts';
import { SchemaError, step } from './schema-error.ts';

/** The base of schemas without an `$id`; nobody sees it. */
const LOCAL = 'schema://local/';

/** Schemas within schemas, beyond which somebody has built a loop or a trap. */
const DEPTH_MAX = 500;

export interface Place {
  readonly schema: unknown;
  /** From the root of the whole schema. */
  readonly pointer: string;
}

export class Resources {
  readonly #places = new Map<string, Place>();
  readonly #bases = new Map<object, string>();
  readonly #hasPlainReferences: boolean;

  /** `isOld`: draft-07, where what stands beside `$ref` does not count. @throws SchemaError */
  constructor(root: unknown, isOld: boolean) {
    this.#hasPlainReferences = isOld;
    this.#places.set(LOCAL, { schema: root, pointer: '#' });
    this.#collect(root, '#', LOCAL, []);
  }

  /** @throws SchemaError for one that leads nowhere */
  resolve(reference: string, from: SchemaObject, pointer: string): Place {
    const uri = this.#absolute(reference, this.#bases.get(from) ?? LOCAL, pointer);
    const [base = '', fragment = ''] = uri.split('#');
    const found = this.#places.get(fragment === '' ? base : uri) ?? this.#byPointer(base, fragment);
    if (found === undefined) {
      const hint = /^[a-z]+:\/\//i.test(reference) ? ' Nothing is fetched: put the schema into $defs.' : '';
      throw new SchemaError(`${pointer}/$ref`, `${reference} is not in this schema.${hint}`);
    }
    return found;
  }

  #collect(schema: unknown, pointer: string, base: string, above: readonly unknown[]): void {
    if (!isObject(schema)) return;
    if (above.includes(schema)) throw new SchemaError(pointer, 'the schema contains itself; write a $ref to it.');
    if (above.length >= DEPTH_MAX) throw new SchemaError(pointer, `schemas are nested ${DEPTH_MAX} deep at most.`);
    const inner = this.#named(schema, pointer, base);
    this.#bases.set(schema, inner);
    const { $anchor } = schema;
    if (typeof $anchor === 'string') this.#add(`${inner}#${$anchor}`, schema, pointer);
    for (const [part, place] of within(schema, pointer)) this.#collect(part, place, inner, [...above, schema]);
  }

  /** The base within the schema, which its `$id` may change. */
  #named(schema: SchemaObject, pointer: string, base: string): string {
    const { $id } = schema;
    if ($id === undefined || (this.#hasPlainReferences && schema['$ref'] !== undefined)) return base;
    if (typeof $id !== 'string') throw new SchemaError(`${pointer}/$id`, '$id is a text.');
    const uri = this.#absolute($id, base, pointer);
    // An anchor of draft-07.
    if ($id.startsWith('#')) this.#add(uri, schema, pointer);
    const [inner = base] = uri.split('#');
    if (!$id.startsWith('#')) this.#add(inner, schema, pointer);
    return inner;
  }

  /** TypeBox puts one schema into several places, with its `$id`: equal ones are one. */
  #add(uri: string, schema: SchemaObject, pointer: string): void {
    const before = this.#places.get(uri);
    if (before !== undefined && before.schema !== schema && JSON.stringify(before.schema) !== JSON.stringify(schema)) {
      throw new SchemaError(pointer, `${uri.replace(LOCAL, '')} is the name of another schema too, at ${before.pointer}.`);
    }
    if (before === undefined) this.#places.set(uri, { schema, pointer });
  }

  #absolute(reference: string, base: string, pointer: string): string {
    try {
      return new URL(reference, base).href;
    } catch {
      throw new SchemaError(pointer, `${reference} is no URI.`);
    }
  }

  #byPointer(base: string, fragment: string): Place | undefined {
    let { schema, pointer } = this.#places.get(base) ?? { schema: undefined, pointer: '' };
    if (schema === undefined || !fragment.startsWith('/')) return undefined;
    for (const escaped of fragment.slice(1).split('/')) {
      const key = unescapeStep(escaped);
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) return undefined;
      schema = (schema as Record<string, unknown>)[key];
      pointer += step(key);
    }
    return isObject(schema) || typeof schema === 'boolean' ? { schema, pointer } : undefined;
  }
}

function unescapeStep(text: string): string {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // A percent sign that begins nothing stands for itself.
  }
  return plain.replaceAll('~1', '/').replaceAll('~0', '~');
}
