/**
 * A shape becomes functions, by closures alone: no code is generated while an application runs, so that it
 * works where that is forbidden and costs no start. What is compiled is never changed afterwards.
 */
import type { Shape, ShapeDocument } from '../shape.ts';
import { arrayRule, mapRule, setRule, tupleRule } from './arrays.ts';
import { codecRule } from './codecs.ts';
import { copyOf } from './copy.ts';
import { type Depth, deeper, startOver, TooDeep } from './depth.ts';
import { discriminatorOf } from './discriminator.ts';
import { Kind } from './kind.ts';
import { bigintRule, numberRule } from './numbers.ts';
import { objectRule } from './objects.ts';
import { asJson } from './convert-object.ts';
import { Issues } from './report.ts';
import type { Compiling, Issue, Mode, Rule } from './rule-types.ts';
import { bytesRule, dateRule, enumRule, equalRule, literalRule, simpleRule } from './scalars.ts';
import { stringRule, templateRule } from './texts.ts';
import { conditionRule, intersectionRule, notRule, unionRule } from './unions.ts';

export type Parsed = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

export interface Validator {
  /** Whether the value is of the shape as it is. */
  readonly check: (value: unknown) => boolean;
  /** The value as it is handed on, or what is wrong with it. */
  readonly parse: (value: unknown) => Parsed;
  /** The value with defaults and texts converted, for a check by somebody else; as it is where it is too deep. */
  readonly convert: (value: unknown) => unknown;
}

/** @throws TypeError for a shape that cannot be checked, and for a default that does not fit */
export function compileShape(document: ShapeDocument, mode: Mode = 'value'): Validator {
  const compiler = new Compiler(document, mode);
  const rule = compiler.rule(document.root);
  compiler.checkDefaults();
  const { depth, hasDefaults } = compiler;
  const fallback = compiler.defaultOf(document.root);
  const check = (value: unknown): boolean => {
    startOver(depth);
    try {
      return rule.check(value);
    } catch (error) {
      if (error instanceof TooDeep) return false;
      throw error;
    }
  };
  // Most replies are sent as they are: nothing is looked through to be copied.
  const staysIfRight = rule.convert === null || (mode === 'reply' && !hasDefaults);
  const parse = (given: unknown): Parsed => {
    startOver(depth);
    try {
      let value = given;
      if (given === undefined && fallback !== undefined) value = copyOf(fallback.value);
      else if (staysIfRight && rule.check(given)) return { value: given };
      else if (rule.convert !== null) value = rule.convert(given);
      if (rule.check(value)) return { value };
      const issues = new Issues();
      rule.explain(value, [], issues);
      return { issues: issues.all };
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      const { expected, received } = error;
      return { issues: [{ path: [], expected, received, message: `Expected ${expected}, received ${received}.` }] };
    }
  };
  const convert = (value: unknown): unknown => {
    startOver(depth);
    try {
      return rule.convert === null ? value : rule.convert(value);
    } catch (error) {
      if (error instanceof TooDeep) return value;
      throw error;
    }
  };
  return { check, parse, convert };
}

class Compiler implements Compiling {
  readonly mode: Compiling['mode'];
  readonly isLenient: boolean;
  readonly depth: Depth = { now: 0, steps: 0 };
  readonly #definitions: ShapeDocument['definitions'];
  /** Null while it is being compiled. */
  readonly #compiled = new Map<string, Rule | null>();
  readonly #defaults: (readonly [value: unknown, rule: Rule])[] = [];
  /** References that have been followed since the last step into a value. */
  #followed: readonly string[] = [];

  constructor({ definitions }: ShapeDocument, mode: Mode) {
    this.mode = mode === 'fields' ? 'text' : mode;
    this.isLenient = mode === 'reply' || mode === 'fields';
    this.#definitions = definitions;
  }

  readonly rule = (shape: Shape): Rule => {
    const rule = this.#inReply(shape, this.#ruleOf(shape));
    if (shape.default !== undefined) this.#defaults.push([shape.default.value, rule]);
    return rule;
  };

  readonly defaultOf = (shape: Shape): Shape['default'] =>
    shape.default ??
    (shape.kind === 'reference' && Object.hasOwn(this.#definitions, shape.name) ? this.#definitions[shape.name]?.default : undefined);

  get hasDefaults(): boolean {
    return this.#defaults.length > 0;
  }

  checkDefaults(): void {
    for (const [value, rule] of this.#defaults) {
      if (rule.check(value)) continue;
      const issues = new Issues();
      rule.explain(value, [], issues);
      throw new TypeError(`the default ${JSON.stringify(value) ?? String(value)} does not fit: ${issues.all[0]?.message}`);
    }
  }

  /** A text may be a `Date` before it is JSON, and a number an object of a library's. */
  #inReply(shape: Shape, rule: Rule): Rule {
    const isScalar = ['string', 'number', 'literal', 'enum', 'template', 'boolean', 'null', 'array'].includes(shape.kind);
    if (this.mode !== 'reply' || !isScalar) return rule;
    const { convert } = rule;
    return { ...rule, convert: convert === null ? asJson : (value) => convert(asJson(value)) };
  }

  #ruleOf(shape: Shape): Rule {
    switch (shape.kind) {
      case 'reference':
        return this.#reference(shape.name);
      case 'union':
        return unionRule(shape, this, discriminatorOf(shape, this.#definitions));
      case 'intersection':
        return intersectionRule(shape, this);
      case 'not':
        return notRule(shape, this);
      case 'condition':
        return conditionRule(shape, this);
      case 'codec':
        return codecRule(shape, this);
      case 'array':
      case 'tuple':
      case 'object':
      case 'map':
      case 'set':
        return this.#within(shape);
      default:
        return scalarRule(shape, this.mode);
    }
  }

  #within(shape: Extract<Shape, { kind: 'array' | 'tuple' | 'object' | 'map' | 'set' }>): Rule {
    const followed = this.#followed;
    this.#followed = [];
    try {
      if (shape.kind === 'array') return arrayRule(shape, this);
      if (shape.kind === 'tuple') return tupleRule(shape, this);
      if (shape.kind === 'object') return objectRule(shape, this, this.defaultOf);
      return shape.kind === 'map' ? mapRule(shape, this) : setRule(shape, this);
    } finally {
      this.#followed = followed;
    }
  }

  #reference(name: string): Rule {
    const compiled = this.#compiled.get(name);
    if (compiled != null) return compiled;
    if (!Object.hasOwn(this.#definitions, name)) throw new TypeError(`${name} is referred to and not defined.`);
    if (compiled === null) {
      if (this.#followed.includes(name)) throw new TypeError(`${name} refers to itself and to nothing else.`);
      return this.#later(name);
    }
    this.#compiled.set(name, null);
    const followed = this.#followed;
    this.#followed = [...followed, name];
    const rule = this.rule(this.#definitions[name] as Shape);
    this.#followed = followed;
    this.#compiled.set(name, rule);
    return rule;
  }

  /** A shape that contains itself: each time around is a level of the value. */
  #later(name: string): Rule {
    const { depth } = this;
    let found: Rule | null = null;
    const target = (): Rule => (found ??= this.#compiled.get(name) as Rule);
    const within = <T>(run: () => T): T => {
      deeper(depth);
      const result = run();
      depth.now -= 1;
      return result;
    };
    return {
      expected: expectedOf(this.#definitions[name] as Shape),
      kinds: Kind.ALL,
      check(value) {
        deeper(depth);
        const isRight = target().check(value);
        depth.now -= 1;
        return isRight;
      },
      explain: (value, path, report) => within(() => target().explain(value, path, report)),
      convert: (value) => {
        const { convert } = target();
        return convert === null ? value : within(() => convert(value));
      },
    };
  }
}

/** Of a shape that is not compiled yet. */
const expectedOf = ({ kind, notes }: Shape): string =>
  notes?.title ?? (['object', 'array'].includes(kind) ? kind : 'a value of its schema');

function scalarRule(shape: Shape, mode: Compiling['mode']): Rule {
  switch (shape.kind) {
    case 'string':
      return stringRule(shape);
    case 'template':
      return templateRule(shape);
    case 'number':
      return numberRule(shape, mode);
    case 'bigint':
      return bigintRule(shape, mode);
    case 'literal':
      return literalRule(shape, mode);
    case 'enum':
      return enumRule(shape, mode);
    case 'equal':
      return equalRule(shape);
    case 'date':
      return dateRule(shape, mode);
    case 'bytes':
      return bytesRule(shape);
    default:
      return simpleRule(shape as Parameters<typeof simpleRule>[0], mode);
  }
}
