/**
 * Classes of Java as types: what a handle of one has, the components of a record, the constants of an enum; and the class
 * itself, with what is static. Pure.
 */
import { quoted } from '../annotations.ts';
import { braced, jsdoc, propertyName } from '../lines.ts';
import type { JavaClass, JavaField, JavaSignature, JavaType } from './java-module.ts';
import { type JavaNames, JavaTypes } from './java-types.ts';

type Lines = Map<string, string[]>;

/** `then` would be asked for by `await`. */
const isShown = (name: string): boolean => name !== 'then';

/** Comments of Javadoc have a space in front of each line. */
const docOf = (doc: string | null): string[] => jsdoc(doc?.replaceAll(/^ /gm, ''));

export class JavaClasses {
  readonly #names: JavaNames;
  readonly #types: JavaTypes;

  constructor(names: JavaNames) {
    this.#names = names;
    this.#types = new JavaTypes(names);
  }

  /** The types of its objects. */
  typeLines(one: JavaClass): string[] {
    const name = this.#names.name(one.name);
    if (one.kind === 'enum')
      return [...docOf(one.doc), `export type ${name} = ${one.constants.length === 0 ? 'never' : one.constants.map(quoted).join(' | ')};`];
    if (one.kind !== 'record') return this.#objectLines(one, name);
    const fields = (way: 'in' | 'out'): string[] =>
      one.components.map((field) => `readonly ${propertyName(field.name)}: ${this.#types.typeOf(field.type, way)};`);
    return [
      ...docOf(one.doc),
      ...braced(`export interface ${name}`, fields('out')),
      '',
      `/** What a call takes for ${name}. */`,
      ...braced(`export interface ${name}Given`, fields('in')),
      '',
      `/** What new makes: it stays with Java. */`,
      ...this.#objectLines({ ...one, doc: null }, `${name}Handle`),
    ];
  }

  #objectLines(one: JavaClass, name: string): string[] {
    const iterated = one.iterates === null ? '' : `, AsyncIterable<${this.#types.typeOf(one.iterates, 'out')}>`;
    const called =
      one.function === null
        ? []
        : [`(${this.#types.parameters(one.function, 'in')}): Promise<${this.#types.typeOf(one.function.returns, 'out')}>;`];
    const lines = [...called, ...[...this.#instance(one).values()].flat()];
    return [...docOf(one.doc), ...braced(`export interface ${name} extends GuestHandle${iterated}`, lines)];
  }

  #instance(one: JavaClass): Lines {
    const members = this.#methods(one.methods.filter(({ isStatic }) => !isStatic));
    for (const field of one.fields) if (!field.isStatic && isShown(field.name)) members.set(field.name, this.#field(field));
    for (const { name, parameters, returns } of one.methods.filter(({ isStatic }) => !isStatic)) {
      const property = propertyOf(name);
      if (parameters.length === 0 && property !== undefined && isShown(property) && !members.has(property))
        members.set(property, [this.#attribute(property, returns)]);
    }
    return members;
  }

  #field(field: JavaField): string[] {
    return [...docOf(field.doc), this.#attribute(field.name, field.type)];
  }

  /** A member that is asked for by `await`; those of an object can be used at once. */
  #attribute(name: string, type: JavaType): string {
    const given = this.#types.typeOf(type, 'out');
    const kind = this.#names.of.get(type.kind === 'class' ? (type.name ?? '') : '')?.kind;
    // A union of values has members of its own.
    const isObject =
      type.isNullable !== true && (kind === 'class' || (kind === 'interface' && !given.includes(' | ')) || type.kind === 'function');
    return `readonly ${propertyName(name)}: ${isObject ? `${given} & ` : ''}PromiseLike<${given}>;`;
  }

  #methods(methods: readonly JavaSignature[]): Lines {
    const byName = new Map<string, JavaSignature[]>();
    for (const one of methods) if (isShown(one.name)) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
    return new Map([...byName].map(([name, all]) => [name, this.#overloads(propertyName(name), all)]));
  }

  /** Those of one name; where several take as many arguments, each by its own name, too. */
  #overloads(name: string, all: readonly JavaSignature[]): string[] {
    const doc = all.find((one) => one.doc !== null)?.doc ?? null;
    const lines = all.flatMap((one) => this.#signatures(name, one));
    const counts = all.map(({ parameters }) => parameters.length);
    const isUnclear = new Set(counts).size < counts.length;
    const named = isUnclear ? all.map((one) => this.#signature(quoted(`${one.name}(${one.written})`), one)) : [];
    return [...docOf(doc), ...new Set([...lines, ...named])];
  }

  #signature(name: string, one: JavaSignature): string {
    return `${name}(${this.#types.parameters(one, 'in')}): Promise<${this.#types.typeOf(one.returns, 'out')}>;`;
  }

  #signatures(name: string, one: JavaSignature): string[] {
    const lists = this.#byName(one);
    return [this.#signature(name, one), ...lists.map((list) => `${name}(${list}): Promise<${this.#types.typeOf(one.returns, 'out')}>;`)];
  }

  /** Where there is more than one to name. */
  #byName({ isNamed, isRest, parameters }: JavaSignature): string[] {
    if (!isNamed || isRest || parameters.length < 2) return [];
    const members = parameters.map(({ name, type }) => `${propertyName(name)}: ${this.#types.typeOf(type, 'in')}`);
    return [`named: NamedArguments<{ ${members.join('; ')} }>`];
  }

  /** What the class itself has. */
  classLines(one: JavaClass): string[] {
    const name = this.#names.name(one.name);
    const made = one.kind === 'record' ? `${name}Handle` : name;
    const makers = one.isAbstract || one.kind === 'interface' || one.kind === 'enum' ? [] : one.constructors;
    const news = makers.flatMap((each) =>
      [this.#types.parameters(each, 'in'), ...this.#byName(each)].map((list) => `new (${list}): Promise<${made}>;`),
    );
    const members = this.#methods(one.methods.filter(({ isStatic }) => isStatic));
    for (const constant of one.constants) members.set(constant, [`readonly ${propertyName(constant)}: PromiseLike<${quoted(constant)}>;`]);
    for (const field of one.fields) if (field.isStatic && isShown(field.name)) members.set(field.name, this.#field(field));
    for (const inner of one.inner) {
      const found = this.#names.of.get(inner);
      const simple = inner.slice(inner.lastIndexOf('.') + 1);
      if (found !== undefined && !members.has(simple))
        members.set(simple, [...docOf(found.doc), ...braced(`readonly ${propertyName(simple)}:`, this.classLines(found), '};')]);
    }
    return [...new Set(news), ...[...members.values()].flat()];
  }
}

/** `getName` and `isName`: `name`. */
function propertyOf(method: string): string | undefined {
  const [, first, rest] = /^(?:get|is)(\p{Lu})(.*)$/u.exec(method) ?? [];
  return first === undefined ? undefined : first.toLowerCase() + (rest ?? '');
}
