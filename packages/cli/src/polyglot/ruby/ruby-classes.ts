/**
 * Classes of Ruby as types: what a handle of one has, the members of what becomes an object; and the class or module itself, with
 * what can be called of it. Pure.
 */
import { braced, jsdoc, propertyName } from '../lines.ts';
import type { RubyConstant, RubyMethod, RubyType } from './types.ts';
import { parameterLists } from './ruby-lists.ts';
import type { RubyClass, RubyNames } from './ruby-names.ts';
import { RubyTypes } from './ruby-types.ts';

/** Operators and what sets have no name here; `then` would be asked for by `await`. */
const isShown = ({ name, isPrivate }: RubyMethod): boolean => !isPrivate && /^\w+[?!]?$/.test(name) && name !== 'then';

/** What every class has, and what makes objects. */
const MAKERS = new Set(['initialize', 'new']);

export class RubyClasses {
  readonly #names: RubyNames;
  readonly #types: RubyTypes;

  constructor(names: RubyNames) {
    this.#names = names;
    this.#types = new RubyTypes(names);
  }

  /** The type of its objects. */
  typeLines(one: RubyClass): string[] {
    const types = this.#types.in(one);
    const methods = [...this.#names.methodsOf(one, 'object').values()].filter((method) => isShown(method) && !MAKERS.has(method.name));
    if (one.isData) {
      const fields = methods.filter(({ isAttribute }) => isAttribute);
      return [
        ...jsdoc(one.doc),
        ...braced(
          `export interface ${one.typeName}`,
          fields.map(({ name, overloads }) => `${propertyName(name)}: ${types.typeOf(returnsOf(overloads), 'out')};`),
        ),
      ];
    }
    const each = this.#names.methodsOf(one, 'object').get('each');
    const yielded = each?.overloads.find(({ block }) => block !== undefined)?.block?.function.parameters ?? [];
    const item = yielded.length === 1 && yielded[0] !== undefined ? types.typeOf(yielded[0].type, 'out') : 'unknown';
    const head = `export interface ${one.typeName} extends GuestHandle${each === undefined ? '' : `, AsyncIterable<${item}>`}`;
    return [
      ...jsdoc(one.doc),
      ...braced(
        head,
        methods.flatMap((method) => this.methodLines(method, types)),
      ),
    ];
  }

  /** A method: one that needs no arguments is called by awaiting it, too. */
  methodLines({ name, doc, overloads, isAttribute }: RubyMethod, types: RubyTypes = this.#types): string[] {
    const property = propertyName(name);
    const calls = overloads.flatMap((one) => {
      const returns = types.typeOf(one.returns, 'out');
      return parameterLists(one, types, 'in').map((list) => ({ list, returns }));
    });
    const plain = overloads.find(
      ({ parameters, block }) =>
        !parameters.some(({ kind }) => kind === 'required' || kind === 'trailing' || kind === 'named') && block?.isOptional !== false,
    );
    if (plain === undefined)
      return [...jsdoc(doc), ...new Set(calls.map(({ list, returns }) => `${property}(${list}): Promise<${returns}>;`))];
    const given = types.typeOf(plain.returns, 'out');
    const signatures = [...new Set(calls.map(({ list, returns }) => `(${list}): Promise<${returns}>`))];
    const called =
      signatures.length === 1
        ? `(${signatures[0]?.replace(/^(\(.*\)): (Promise<.*>)$/s, '$1 => $2') ?? ''})`
        : `{ ${signatures.join('; ')} }`;
    const object = isAttribute && types.objectOf(plain.returns) !== undefined ? ` & ${given}` : '';
    return [...jsdoc(doc), `readonly ${property}: ${called}${object} & PromiseLike<${given}>;`];
  }

  constantLines({ name, doc, type }: RubyConstant, types: RubyTypes = this.#types): string[] {
    const given = types.typeOf(type, 'out');
    return [
      ...jsdoc(doc),
      `readonly ${propertyName(name)}: ${types.objectOf(type) === undefined ? '' : `${given} & `}PromiseLike<${given}>;`,
    ];
  }

  /** The class or module, as a member of what it is in. */
  classLines(one: RubyClass): string[] {
    const news = one.kind === 'class' ? this.#makers(one) : [];
    return [
      ...jsdoc(one.doc),
      ...braced(`readonly ${propertyName(lastOf(one.name))}:`, [...news, ...[...this.inside(one).values()].flat()], '};'),
    ];
  }

  /** What can be called of a class or module, and what is in it. */
  inside(one: RubyClass): Map<string, string[]> {
    const types = this.#types.in(one);
    const members = new Map<string, string[]>();
    for (const [name, method] of this.#names.methodsOf(one, 'class'))
      if (isShown(method) && !MAKERS.has(name)) members.set(name, this.methodLines(method, types));
    for (const constant of one.parts.flatMap(({ constants }) => constants)) members.set(constant.name, this.constantLines(constant, types));
    for (const inner of this.#names.inside(one.name)) members.set(lastOf(inner.name), this.classLines(inner));
    return members;
  }

  #makers(one: RubyClass): string[] {
    const types = this.#types.in(one);
    const own = this.#names.methodsOf(one, 'class').get('new') ?? this.#names.methodsOf(one, 'object').get('initialize');
    const lists = own?.overloads.flatMap((each) => parameterLists(each, types, 'in')) ?? this.#inherited(one, types);
    return [...new Set(lists)].map((list) => `new (${list}): Promise<${one.typeName}>;`);
  }

  /** What makes an object where nothing is said of it. */
  #inherited(one: RubyClass, types: RubyTypes): string[] {
    if (!one.isData) return [this.#isOpen(one) ? '...args: readonly unknown[]' : ''];
    const fields = [...this.#names.methodsOf(one, 'object').values()]
      .filter(({ isAttribute }) => isAttribute)
      .map(({ name, overloads }) => `${propertyName(name)}?: ${types.typeOf(returnsOf(overloads), 'in')}`);
    return [fields.join(', '), `named: NamedArguments<{ ${fields.join('; ')} }>`];
  }

  /** It extends something that is not declared here. */
  #isOpen(one: RubyClass): boolean {
    const [superclass] = one.parts.flatMap((part) => part.superclass ?? []);
    if (superclass?.kind !== 'name' || superclass.name === 'Object') return false;
    const found = this.#names.classOf(superclass.name, one.name);
    return found === undefined || found === one || this.#isOpen(found);
  }
}

const lastOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1);
const returnsOf = (overloads: RubyMethod['overloads']): RubyType => overloads[0]?.returns ?? { kind: 'name', name: 'untyped', items: [] };
