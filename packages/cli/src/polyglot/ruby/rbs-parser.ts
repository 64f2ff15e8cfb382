/**
 * A file of RBS, read here and not by Ruby's own library: that is a gem which Debian, containers and older Rubies may not have, and
 * whose trees differ from version to version, while what it reads is small and does not change. Read is what a signature can have
 * (classes, modules, interfaces, methods with overloads, attributes, constants, aliases); what is something else is an error with
 * its place. Pure.
 */
import type { RubyFunction, RubyMethod, RubyScope, RubyType } from './types.ts';
import { RbsSource } from './rbs-source.ts';
import { RbsTypes } from './rbs-types.ts';

const METHOD = /`([^`\n]+)`|[A-Za-z_]\w*(?:[?!]|=(?=[\s:]))?|`|\[\]=?|\*\*|[+-]@?|={2,3}|=~|![=~]?|<=>|<<|>>|[<>]=?|[*/%&|^~]/y;
const DEPTH_MAX = 100;

const emptyScope = (kind: RubyScope['kind'], name: string, doc: string, superclass?: RubyType): RubyScope => ({
  kind,
  name,
  doc,
  superclass,
  methods: [],
  aliases: [],
  included: [],
  extended: [],
  constants: [],
  types: [],
  scopes: [],
});

/** @param name that of the file, for errors */
export function parseRbs(text: string, name: string): RubyScope {
  const parser = new RbsParser(new RbsSource(text, name));
  return parser.file();
}

class RbsParser {
  readonly #source: RbsSource;
  readonly #types: RbsTypes;
  /** Of the part of a class that is being read. */
  #isPrivate = false;
  #depth = 0;

  constructor(source: RbsSource) {
    this.#source = source;
    this.#types = new RbsTypes(source);
  }

  file(): RubyScope {
    const scope = emptyScope('file', '', '');
    while (!this.#source.isAtEnd) this.#member(scope);
    return scope;
  }

  #member(scope: RubyScope): void {
    const source = this.#source;
    const doc = source.comment();
    while (source.take(/%a(?:\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|<[^>]*>|\|[^|]*\|)/y) !== undefined);
    if (source.take(/use\b[^\n]*/y) !== undefined) return;
    const kind = source.take(/(class|module|interface)\b(?!\s*:)/y);
    if (kind !== undefined) this.#scope(kind as 'class', scope, doc);
    else if (source.take(/type\b(?!\s*:)/y) !== undefined) this.#alias(scope);
    else if (source.take(/(?:self\.)?@@?\w+\s*:|\$(?:[^\s:]+|:)\s*:/y) !== undefined) this.#types.type();
    else if (source.sees(/(?:::)?[A-Z][\w:]*\s*:(?!:)/y)) {
      const name = source.expect(/(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*/y, 'a constant').replace(/^::/, '');
      source.expect(/:/y, ':');
      scope.constants.push({ name, doc, type: this.#types.type() });
    } else if (scope.kind === 'file') source.fail('a declaration (class, module, interface, type, a constant)');
    else this.#ofScope(scope, doc);
  }

  #ofScope(scope: RubyScope, doc: string): void {
    const source = this.#source;
    const mixin = source.take(/(include|extend|prepend)\b/y);
    if (mixin !== undefined) {
      const name = source.expect(/[\w:]+/y, 'the name of a module').replace(/^::/, '');
      source.skipBrackets();
      (mixin === 'extend' ? scope.extended : scope.included).push(name);
      return;
    }
    const section = source.take(/(public|private)\b(?=[ \t]*(?:#[^\n]*)?\n)/y);
    if (section !== undefined) {
      this.#isPrivate = section === 'private';
      return;
    }
    const visibility = source.take(/(public|private)\b/y);
    const isPrivate = visibility === undefined ? this.#isPrivate : visibility === 'private';
    if (source.take(/def\b/y) !== undefined) scope.methods.push(this.#method(doc, isPrivate));
    else if (source.take(/alias\b/y) !== undefined) this.#methodAlias(scope);
    else if (!this.#attribute(scope, doc, isPrivate)) source.fail('a member (def, attr_reader, include, alias …) or end');
  }

  #scope(kind: 'class' | 'module' | 'interface', outer: RubyScope, doc: string): void {
    const source = this.#source;
    const name = source.expect(/(?:::)?[A-Z_]\w*(?:::\w+)*/y, `the name of the ${kind}`).replace(/^::/, '');
    if (source.take(/=/y) !== undefined) {
      outer.types.push({ name, type: this.#types.simple() });
      return;
    }
    source.skipBrackets();
    const superclass = source.take(/</y) === undefined ? undefined : this.#types.simple();
    if (source.take(/:/y) !== undefined)
      do this.#types.simple();
      while (source.take(/,/y) !== undefined);
    const scope = emptyScope(kind, name, doc, superclass);
    const wasPrivate = this.#isPrivate;
    this.#isPrivate = false;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) source.fail(`no more than ${DEPTH_MAX} classes in each other`);
    while (source.take(/end\b/y) === undefined) {
      if (source.isAtEnd) source.fail(`end of ${kind} ${name}`);
      this.#member(scope);
    }
    this.#depth -= 1;
    this.#isPrivate = wasPrivate;
    outer.scopes.push(scope);
  }

  #alias(scope: RubyScope): void {
    const name = this.#source.expect(/(?:\w+::)*[a-z_]\w*/y, 'the name of the type');
    this.#source.skipBrackets();
    this.#source.expect(/=/y, '=');
    scope.types.push({ name, type: this.#types.type() });
  }

  #method(doc: string, isPrivate: boolean): RubyMethod {
    const source = this.#source;
    const owner = source.take(/self\??\./y);
    const name = source.expect(METHOD, 'the name of a method');
    source.expect(/:/y, ':');
    const overloads: RubyFunction[] = [];
    do {
      if (source.take(/\.\.\./y) === undefined) overloads.push(this.#types.method());
    } while (source.take(/\|/y) !== undefined);
    return {
      name,
      doc,
      of: owner === undefined ? 'object' : owner === 'self.' ? 'class' : 'both',
      isPrivate,
      isAttribute: false,
      overloads,
    };
  }

  #methodAlias(scope: RubyScope): void {
    const isOfClass = this.#source.take(/self\./y) !== undefined;
    const name = this.#source.expect(METHOD, 'the new name');
    if (isOfClass) this.#source.expect(/self\./y, 'self.');
    scope.aliases.push({ name, old: this.#source.expect(METHOD, 'the name of a method'), isOfClass });
  }

  #attribute(scope: RubyScope, doc: string, isPrivate: boolean): boolean {
    const source = this.#source;
    const kind = source.take(/(attr_(?:reader|writer|accessor))\b/y);
    if (kind === undefined) return false;
    const isOfClass = source.take(/self\./y) !== undefined;
    const name = source.expect(/[A-Za-z_]\w*[?!]?/y, 'the name of the attribute');
    source.take(/\(\s*@?\w*\s*\)/y);
    source.expect(/:/y, ':');
    const returns = this.#types.type();
    const overloads: RubyFunction[] = [{ parameters: [], block: undefined, returns }];
    // What only sets is asked for by `set()`, which takes anything.
    if (kind !== 'attr_writer')
      scope.methods.push({ name, doc, of: isOfClass ? 'class' : 'object', isPrivate, isAttribute: true, overloads });
    return true;
  }
}
