/**
 * What is written into one source: helpers of the run time that are used, constants, functions, shapes. Each
 * is there once, whoever asks for it.
 */
import type { Shape } from '../../../fulmar/src/shape/shape.ts';
import { literal } from './literals.ts';

export type Definitions = Readonly<Record<string, Shape>>;

export class Module {
  readonly definitions: Definitions;
  /** Begins every name of ours; no other name of the source begins so. */
  readonly prefix: string;
  /** Names of definitions that lead back to themselves. */
  readonly recursive: ReadonlySet<string>;
  readonly #helpers = new Set<string>();
  readonly #constants = new Map<string, string>();
  readonly #functions = new Map<string, { readonly name: string; text: string }>();

  constructor(definitions: Definitions, prefix: string, recursive: ReadonlySet<string>) {
    this.definitions = definitions;
    this.prefix = prefix;
    this.recursive = recursive;
  }

  /** The local name of a helper of the run time. */
  helper(name: string): string {
    this.#helpers.add(name);
    return `${this.prefix}_${name}`;
  }

  /** The name of a constant with this value. */
  constant(expression: string): string {
    const known = this.#constants.get(expression);
    if (known !== undefined) return known;
    const name = `${this.prefix}c${this.#constants.size + 1}`;
    this.#constants.set(expression, name);
    return name;
  }

  /** The name of the function for a shape; it is made when it is asked for first, and may ask for itself. */
  function(role: string, shape: Shape, make: (name: string) => string): string {
    const key = `${role} ${literal(shape)}`;
    const known = this.#functions.get(key);
    if (known !== undefined) return known.name;
    const made = { name: `${this.prefix}f${this.#functions.size + 1}`, text: '' };
    this.#functions.set(key, made);
    made.text = make(made.name);
    return made.name;
  }

  /**
   * Statements that may stand anywhere at the top of the source. `from`: what the run time is imported from. `binds`: does
   * the source have something of its own by this name, as it may import a `Set` of another library?
   */
  text(from: string, binds: (name: string) => boolean = () => false): string {
    const names = [...this.#helpers].sort().map((name) => `${name}: ${this.prefix}_${name}`);
    const head = names.length === 0 ? '' : `import { runtime as ${this.prefix} } from ${literal(from)};\n`;
    const lines = names.length === 0 ? [] : [`const { ${names.join(', ')} } = ${this.prefix};`];
    for (const [expression, name] of this.#constants) lines.push(`const ${name} = ${expression};`);
    for (const { text } of this.#functions.values()) lines.push(text);
    const hidden = GLOBALS.filter(binds);
    return `${head}${hidden.length === 0 ? lines.join('\n') : this.#apart(lines, hidden)}`;
  }

  /** In a scope of their own, where the names are those of the platform. */
  #apart(lines: readonly string[], hidden: readonly string[]): string {
    const functions = [...this.#functions.values()].map(({ name }) => name).join(', ');
    const given = hidden.map((name) => `globalThis.${name}`).join(', ');
    return `const { ${functions} } = ((${hidden.join(', ')}) => {\n${lines.join('\n')}\nreturn { ${functions} };\n})(${given});`;
  }
}

/** Globals that what is written asks for by their names. */
const GLOBALS = ['Array', 'Infinity', 'JSON', 'Map', 'NaN', 'Number', 'Object', 'RegExp', 'Set', 'String'] as const;

/** The codec of a name, as the run time has it. */
export const codecConstant = (name: string, module: Module): string => module.constant(`${module.helper('codec')}(${literal(name)})`);

/** Temporary variables of one function. */
export class Scope {
  #count = 0;

  temporary(): string {
    this.#count += 1;
    return `t${this.#count}`;
  }

  /** The declaration of those that were asked for. */
  declaration(): string {
    return this.#count === 0 ? '' : `let ${Array.from({ length: this.#count }, (_, at) => `t${at + 1}`).join(', ')}; `;
  }
}
