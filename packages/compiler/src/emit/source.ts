/**
 * All that is written into one source: for each use a function of its own, which calls what was made for the
 * shape. The same use of the same type is the same function.
 */
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import { partsOf } from '../../../fulmar/src/shape/shape.ts';
import type { FunctionName } from '../program/calls.ts';
import { Layout } from './binary-layout.ts';
import { BinaryReader } from './binary-reader.ts';
import { BinaryWriter } from './binary-writer.ts';
import { Checks } from './checks.ts';
import { Decoder } from './decoder.ts';
import { Encoder } from './encoder.ts';
import { literal } from './literals.ts';
import { type Definitions, Module } from './module.ts';

/**
 * What functions are made for. `input`: a schema of what comes in alone, without what writes replies; `declared`: for `rpc()`,
 * a copy of a value, of declared members, to be written in bytes.
 */
export type Emitted = Exclude<FunctionName, 'route' | 'typed'> | 'input' | 'declared';

export class SourceEmitter {
  readonly #module: Module;
  readonly #value: Checks;
  readonly #wire: Checks;
  readonly #encoder: Encoder;
  readonly #decoder: Decoder;
  readonly #columns: Decoder;
  readonly #layout: Layout;
  readonly #writer: BinaryWriter;
  readonly #reader: BinaryReader;

  constructor(definitions: Definitions, prefix: string) {
    this.#module = new Module(definitions, prefix, recursiveNames(definitions));
    this.#value = new Checks(this.#module, 'value');
    this.#wire = new Checks(this.#module, 'wire');
    this.#encoder = new Encoder(this.#module, this.#value);
    this.#decoder = new Decoder(this.#module, this.#wire);
    this.#columns = new Decoder(this.#module, this.#value, true);
    this.#layout = new Layout(this.#module);
    this.#writer = new BinaryWriter(this.#module, this.#value, this.#layout);
    this.#reader = new BinaryReader(this.#module, this.#value, this.#layout);
  }

  /** The expression that stands where the use was. */
  use(name: Emitted, shape: Shape): string {
    return this.#module.function(`use ${name}`, shape, (own) => this.#body(name, shape, own));
  }

  text(from: string, binds?: (name: string) => boolean): string {
    return this.#module.text(from, binds);
  }

  #body(name: Emitted, shape: Shape, own: string): string {
    const helper = (called: string): string => this.#module.helper(called);
    const fits = (): string => this.#value.whole(shape, 'v');
    const wire = (): string => this.#wire.whole(shape, 'v');
    const made = (): string => this.#decoder.function(shape);
    switch (name) {
      case 'validate':
        return `function ${own}(v) { return ${fits()}; }`;
      case 'assert':
        return `function ${own}(v) { return ${fits()} ? v : ${helper('refuse')}(${this.#document(shape)}, v); }`;
      case 'errors':
        return `function ${own}(v) { return ${fits()} ? [] : ${helper('issues')}(${this.#document(shape)}, v); }`;
      case 'parse':
        return `function ${own}(s) { const v = JSON.parse(s); return ${wire()} ? ${made()}(v) : ${helper('refuseWire')}(${this.#document(shape)}, v); }`;
      case 'stringify':
        return `function ${own}(v) { ${this.#start()}return ${this.#encoder.function(shape)}(v, 0); }`;
      case 'declared':
        return `function ${own}(v) { return ${this.#columns.function(shape)}(v); }`;
      case 'encode':
        return this.#encode(shape, own);
      case 'decode':
        return this.#decode(shape, own);
      case 'schemaOf':
        return `function ${own}() { return ${this.#document(shape)}; }`;
      case 'sample':
        return `function ${own}(s) { return ${helper('sample')}(${this.#document(shape)}, s); }`;
      case 'schema':
      case 'input': {
        const document = this.#document(shape);
        const reply =
          name === 'input' ? '' : `, reply: { errors: ${this.use('errors', shape)}, stringify: ${this.use('stringify', shape)} }`;
        const parts = `{ shape: ${document}, fits: (v) => ${wire()}, decode: ${made()}, issues: (v) => ${helper('wireIssues')}(${document}, v)${reply} }`;
        return `function ${own}() { return ${this.#module.constant(`${helper('schema')}(${parts})`)}; }`;
      }
    }
  }

  #encode(shape: Shape, own: string): string {
    const write = this.#module.constant(
      `${this.#module.helper('toBytes')}(${this.#writer.function(shape)}, ${this.#layout.fingerprint(shape)})`,
    );
    return `function ${own}(v) { ${this.#start()}return ${write}(v); }`;
  }

  #decode(shape: Shape, own: string): string {
    const read = this.#module.constant(
      `${this.#module.helper('fromBytes')}(${this.#reader.function(shape)}, ${this.#layout.fingerprint(shape)})`,
    );
    if (!this.#layout.isChecked(shape)) return `function ${own}(b) { return ${read}(b); }`;
    const refuse = `${this.#module.helper('refuse')}(${this.#document(shape)}, v)`;
    return `function ${own}(b) { const v = ${read}(b); return ${this.#value.whole(shape, 'v')} ? v : ${refuse}; }`;
  }

  /** Encoders tell members of unions apart by checks, which count their steps. */
  #start(): string {
    return this.#module.recursive.size === 0 ? '' : `${this.#module.helper('start')}(); `;
  }

  #document(shape: Shape): string {
    const names = [...reached(shape, this.#module.definitions)];
    const all = names.length === 0 ? '{}' : this.#module.constant(literal(this.#module.definitions));
    return this.#module.constant(`${this.#module.helper('document')}(${literal(shape)}, ${all}, ${literal(names)})`);
  }
}

/** Definitions that a shape leads to. */
function reached(shape: Shape, definitions: Definitions): Set<string> {
  const found = new Set<string>();
  const waiting: Shape[] = [shape];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    waiting.push(...partsOf(next));
    if (next.kind !== 'reference' || found.has(next.name)) continue;
    found.add(next.name);
    waiting.push(definitions[next.name] ?? { kind: 'never' });
  }
  return found;
}

function recursiveNames(definitions: Definitions): Set<string> {
  return new Set(
    Object.keys(definitions).filter(
      (name) =>
        partsOf(definitions[name] as Shape).some((part) => reached(part, definitions).has(name)) ||
        (definitions[name]?.kind === 'reference' && reached(definitions[name], definitions).has(name)),
    ),
  );
}
