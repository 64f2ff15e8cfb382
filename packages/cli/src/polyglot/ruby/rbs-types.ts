/** The types of RBS, and those of methods. Throws a `CommandError` with the place for what is no type. */
import type { RubyFunction, RubyParameter, RubyRecordMember, RubyType } from './types.ts';
import type { RbsSource } from './rbs-source.ts';

/** Types in types. */
const DEPTH_MAX = 100;

const UNTYPED: RubyType = { kind: 'name', name: 'untyped', items: [] };

export class RbsTypes {
  readonly #source: RbsSource;
  #depth = 0;

  constructor(source: RbsSource) {
    this.#source = source;
  }

  type(): RubyType {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#source.fail(`a type of no more than ${DEPTH_MAX} levels`);
    const type = this.#list(/\|/y, 'union', () => this.#list(/&/y, 'intersection', () => this.simple()));
    this.#depth -= 1;
    return type;
  }

  #list(between: RegExp, kind: 'union' | 'intersection', next: () => RubyType): RubyType {
    const items = [next()];
    while (this.#source.take(between) !== undefined) items.push(next());
    return items.length === 1 ? (items[0] as RubyType) : { kind, items };
  }

  /** One that may stand behind an arrow: without a union. */
  simple(): RubyType {
    let type = this.#primary();
    while (this.#source.takeHere(/\?|[ \t]+\?(?=\s*[,)])/y) !== undefined) type = { kind: 'optional', items: [type] };
    return type;
  }

  #primary(): RubyType {
    const source = this.#source;
    if (source.take(/\(/y) !== undefined) {
      const type = this.type();
      source.expect(/\)/y, ')');
      return type;
    }
    if (source.take(/\[/y) !== undefined) return { kind: 'tuple', items: this.#items(/\]/y, ']') };
    if (source.take(/\{/y) !== undefined) return this.#record();
    if (source.take(/\^/y) !== undefined) return { kind: 'function', function: this.#function() };
    const literal = this.#literal();
    if (literal !== undefined) return literal;
    if (source.take(/singleton\s*\(/y) !== undefined) {
      const name = source.expect(/[\w:]+/y, 'the name of a class');
      source.expect(/\)/y, ')');
      source.skipBrackets();
      return { kind: 'singleton', name };
    }
    const name = source.expect(/(?:::)?[A-Za-z_]\w*(?:::\w+)*/y, 'a type');
    const items = source.takeHere(/\[/y) === undefined ? [] : this.#items(/\]/y, ']');
    return { kind: 'name', name: name.replace(/^::/, ''), items };
  }

  #literal(): RubyType | undefined {
    const source = this.#source;
    const symbol = source.take(/:([A-Za-z_]\w*[?!=]?)/y);
    if (symbol !== undefined) return { kind: 'literal', of: 'symbol', value: symbol };
    const quotedSymbol = source.take(/:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/y);
    if (quotedSymbol !== undefined) return { kind: 'literal', of: 'symbol', value: unquoted(quotedSymbol) };
    const text = source.take(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y);
    if (text !== undefined) return { kind: 'literal', of: 'string', value: unquoted(text) };
    const other = source.take(/-?\d[\d_]*\b|(?:true|false)\b/y);
    return other === undefined ? undefined : { kind: 'literal', of: 'other', value: other.replaceAll('_', '') };
  }

  #items(end: RegExp, what: string): RubyType[] {
    const items: RubyType[] = [];
    while (this.#source.take(end) === undefined) {
      items.push(this.type());
      if (this.#source.take(/,/y) === undefined && !this.#source.sees(end)) this.#source.fail(`, or ${what}`);
    }
    return items;
  }

  #record(): RubyType {
    const source = this.#source;
    const members: RubyRecordMember[] = [];
    while (source.take(/\}/y) === undefined) {
      const isOptional = source.take(/\?/y) !== undefined;
      const name = source.take(/([A-Za-z_]\w*[?!]?)\s*:(?!:)/y);
      const key = name === undefined ? this.#literal() : undefined;
      if (name === undefined && key?.kind !== 'literal') source.fail('a key of the record (name: or "name" =>)');
      if (name === undefined) source.expect(/=>/y, '=>');
      const isText = key?.kind === 'literal' && key.of === 'string';
      members.push({ name: name ?? (key?.kind === 'literal' ? key.value : ''), isText, isOptional, type: this.type() });
      if (source.take(/,/y) === undefined && !source.sees(/\}/y)) source.fail(', or }');
    }
    return { kind: 'record', members };
  }

  /** `[T] (String, ?Integer) { (String) -> void } -> String`. */
  method(): RubyFunction {
    this.#source.skipBrackets();
    return this.#function();
  }

  #function(): RubyFunction {
    const source = this.#source;
    const parameters = source.take(/\(/y) === undefined ? [] : this.#parameters();
    this.#self();
    const opening = source.take(/\??\{/y);
    let block: RubyFunction | undefined;
    if (opening !== undefined) {
      block = this.#function();
      source.expect(/\}/y, '} behind the block');
    }
    source.expect(/->/y, '->');
    const returns = this.simple();
    return { parameters, block: block === undefined ? undefined : { isOptional: opening === '?{', function: block }, returns };
  }

  /** What `self` is in a block. */
  #self(): void {
    if (this.#source.take(/\[\s*self\s*:/y) === undefined) return;
    this.type();
    this.#source.expect(/\]/y, ']');
  }

  #parameters(): RubyParameter[] {
    const source = this.#source;
    const parameters: RubyParameter[] = [];
    if (source.take(/\?\s*\)/y) !== undefined)
      return [
        { kind: 'rest', name: undefined, type: UNTYPED },
        { kind: 'named rest', name: undefined, type: UNTYPED },
      ];
    while (source.take(/\)/y) === undefined) {
      parameters.push(this.#parameter(parameters.some(({ kind }) => kind === 'optional' || kind === 'rest')));
      if (source.take(/,/y) === undefined && !source.sees(/\)/y)) source.fail(', or )');
    }
    return parameters;
  }

  #parameter(isLate: boolean): RubyParameter {
    const mark = this.#source.take(/\*\*|\*|\?/y);
    if (mark === '**') return { kind: 'named rest', type: this.type(), name: this.#name() };
    if (mark === '*') return { kind: 'rest', type: this.type(), name: this.#name() };
    const isOptional = mark === '?';
    const name = this.#source.take(/([A-Za-z_]\w*[?!]?)\s*:(?!:)/y);
    if (name !== undefined) {
      const type = this.type();
      this.#name();
      return { kind: isOptional ? 'optional named' : 'named', type, name };
    }
    return { kind: isOptional ? 'optional' : isLate ? 'trailing' : 'required', type: this.type(), name: this.#name() };
  }

  #name(): string | undefined {
    return this.#source.take(/[A-Za-z_]\w*/y) ?? this.#source.take(/`(\w+)`/y);
  }
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith("'")) return inner.replaceAll(/\\(['\\])/g, '$1');
  const known: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', s: ' ', e: '\u{1B}', 0: '\0' };
  return inner.replaceAll(/\\(.)/g, (_whole, one: string) => known[one] ?? one);
}
