/**
 * What the names of files of RBS mean: classes, modules and interfaces, put together where they are declared in parts, their members
 * with those that they inherit, and aliases. Pure.
 */
import { TAKEN } from '../scope.ts';
import type { RubyConstant, RubyMethod, RubyScope, RubyType } from './types.ts';

/** What extends what. */
const DEPTH_MAX = 50;

/** Where methods of the top level are declared. */
const TOP = new Set(['Object', 'Kernel']);

export interface RubyClass {
  /** `Text::Doc`. */
  readonly name: string;
  /** What it is called in TypeScript. */
  readonly typeName: string;
  readonly kind: RubyScope['kind'];
  /** Its objects become values: what `Struct` and `Data` make. */
  readonly isData: boolean;
  readonly doc: string;
  readonly parts: readonly RubyScope[];
}

export class RubyNames {
  readonly #classes = new Map<string, RubyClass>();
  readonly #aliases = new Map<string, { readonly type: RubyType; readonly within: string }>();
  readonly #taken = new Set<string>(TAKEN);
  /** What stands outside of all classes. */
  readonly constants: RubyConstant[] = [];

  constructor(files: readonly RubyScope[]) {
    for (const file of files) this.#add(file, '');
  }

  get classes(): readonly RubyClass[] {
    return [...this.#classes.values()].filter(({ name }) => !TOP.has(name));
  }

  /** Those that a file defines outside of all classes. */
  get functions(): readonly RubyMethod[] {
    return [...TOP]
      .flatMap((name) => this.#classes.get(name)?.parts.flatMap(({ methods }) => methods) ?? [])
      .filter(({ of }) => of !== 'class');
  }

  /** In a class or one around it. */
  classOf(name: string, within: string): RubyClass | undefined {
    const found = lookup(this.#classes, name, within);
    return found === undefined || TOP.has(found.name) ? undefined : found;
  }

  aliasOf(name: string, within: string): { readonly type: RubyType; readonly within: string } | undefined {
    return lookup(this.#aliases, name, within);
  }

  /** Those directly in a class; in none, those that are outside of all. */
  inside(outer: string): readonly RubyClass[] {
    const prefix = outer === '' ? '' : `${outer}::`;
    return this.classes.filter(
      ({ name, kind }) => kind !== 'interface' && name.startsWith(prefix) && !name.slice(prefix.length).includes('::'),
    );
  }

  /** By name, what is nearest last: of objects, or of the class itself. */
  methodsOf(one: RubyClass, of: 'object' | 'class', depth = 0): Map<string, RubyMethod> {
    const found = new Map<string, RubyMethod>();
    if (depth > DEPTH_MAX) return found;
    const take = (name: string | undefined, from: 'object' | 'class'): void => {
      const other = name === undefined ? undefined : this.classOf(name, one.name);
      if (other !== undefined && other !== one) for (const [key, method] of this.methodsOf(other, from, depth + 1)) found.set(key, method);
    };
    for (const part of one.parts) {
      take(part.superclass?.kind === 'name' ? part.superclass.name : undefined, of);
      for (const name of of === 'object' ? part.included : part.extended) take(name, 'object');
    }
    for (const { methods, aliases } of one.parts) {
      for (const method of methods) if (method.of === of || (method.of === 'both' && of === 'class')) found.set(method.name, method);
      for (const { name, old, isOfClass } of aliases) {
        const method = found.get(old);
        if (method !== undefined && isOfClass === (of === 'class')) found.set(name, { ...method, name });
      }
    }
    return found;
  }

  #add(scope: RubyScope, outer: string): void {
    const within = outer === '' ? '' : `${outer}::`;
    for (const { name, type } of scope.types) this.#aliases.set(within + name, { type, within: outer });
    if (outer === '') this.constants.push(...scope.constants);
    for (const one of scope.scopes) {
      const name = within + one.name;
      const known = this.#classes.get(name);
      if (known === undefined) {
        const { kind, doc } = one;
        this.#classes.set(name, { name, typeName: this.#typeName(name), kind, isData: this.#isData(one, outer), doc, parts: [one] });
      } else {
        const isData = known.isData || this.#isData(one, outer);
        this.#classes.set(name, { ...known, isData, doc: known.doc === '' ? one.doc : known.doc, parts: [...known.parts, one] });
      }
      this.#add(one, name);
    }
  }

  #isData({ superclass }: RubyScope, within: string): boolean {
    if (superclass?.kind !== 'name') return false;
    return ['Struct', 'Data'].includes(superclass.name) || this.classOf(superclass.name, within)?.isData === true;
  }

  #typeName(name: string): string {
    const last = name.slice(name.lastIndexOf(':') + 1);
    let tried = this.#taken.has(last) ? name.replaceAll('::', '_') : last;
    while (this.#taken.has(tried)) tried += '_';
    this.#taken.add(tried);
    return tried;
  }
}

function lookup<T>(all: ReadonlyMap<string, T>, name: string, within: string): T | undefined {
  for (let outer = within; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('::')))) {
    const found = all.get(outer === '' ? name : `${outer}::${name}`);
    if (found !== undefined || outer === '') return found;
  }
}
