/**
 * From types as TypeScript's checker resolves them to shapes. One analyzer for a file: what several of its
 * types have in common is one definition. Tells every problem and goes on; a shape that has one is `never`.
 */
import ts from 'typescript';
import type { ReferenceShape, Shape } from '../../../fulmar/src/shape/shape.ts';
import type { KnownCodecs } from '../program/codecs.ts';
import { builtinOf } from './builtins.ts';
import { codecOf } from './codecs.ts';
import { withDocs } from './docs.ts';
import { intersectionOf } from './intersections.ts';
import { objectOf, whyNoData } from './objects.ts';
import { tupleOf } from './tuples.ts';
import { bigintOf } from './tags.ts';
import { templateOf } from './templates.ts';
import { unionOf } from './unions.ts';

/** A type that grows as it is looked into (`N<T>` with a member `N<T[]>`) has no end. */
const DEPTH_MAX = 60;
const TYPES_MAX = 20_000;

export type Tell = (path: string, message: string) => void;

export interface AnalyzerOptions {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly codecs?: KnownCodecs;
  /** What takes anything is an error. */
  readonly strict?: boolean;
  /** A function that takes problems, for the call that is compiled at the moment. */
  readonly tell: Tell;
}

const FLAG_KINDS: readonly (readonly [flag: ts.TypeFlags, shape: Shape])[] = [
  [ts.TypeFlags.Never, { kind: 'never' }],
  [ts.TypeFlags.String, { kind: 'string' }],
  [ts.TypeFlags.Number, { kind: 'number' }],
  [ts.TypeFlags.BigInt, { kind: 'bigint' }],
  [ts.TypeFlags.Boolean, { kind: 'boolean' }],
  [ts.TypeFlags.Null, { kind: 'null' }],
  [ts.TypeFlags.Undefined | ts.TypeFlags.Void, { kind: 'undefined' }],
];

export class Analyzer {
  readonly checker: ts.TypeChecker;
  readonly program: ts.Program;
  readonly definitions: Record<string, Shape> = Object.create(null) as Record<string, Shape>;
  /** Files that the types come from: what is compiled of them is stale when one has changed. */
  readonly files = new Set<string>();
  readonly codecs: KnownCodecs;
  readonly #strict: boolean;
  readonly #tell: Tell;
  readonly #names = new Map<ts.Type, string>();
  readonly #open = new Set<ts.Type>();
  #count = 0;

  constructor({ program, checker, tell, codecs = new Map(), strict = false }: AnalyzerOptions) {
    this.codecs = codecs;
    this.#strict = strict;
    this.program = program;
    this.checker = checker;
    this.#tell = tell;
  }

  tell(path: string, message: string): Shape {
    this.#tell(path, message);
    return { kind: 'never' };
  }

  /** The shape of a type; `path` is told where something of it has none. */
  shapeOf(type: ts.Type, path: string): Shape {
    if ((type.flags & ts.TypeFlags.Any) !== 0) return this.#any(type, path);
    if ((type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive)) !== 0) return this.#anything(type, path);
    for (const [flag, shape] of FLAG_KINDS) if ((type.flags & flag) !== 0) return shape;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    if ((type.flags & ts.TypeFlags.BigIntLiteral) !== 0) return { kind: 'literal', value: bigintOf(type as ts.BigIntLiteralType) };
    if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0) return { kind: 'literal', value: this.checker.typeToString(type) === 'true' };
    if ((type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0) return templateOf(type, path, this);
    if ((type.flags & ts.TypeFlags.ESSymbolLike) !== 0) return this.tell(path, 'is a symbol, which no other process knows');
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)) !== 0) return this.#composite(type, path);
    return this.tell(path, `is ${this.checker.typeToString(type)}, which is not known here: name a type without parameters`);
  }

  /** A named type is one definition, however often it is met; one that contains itself must be. */
  #composite(type: ts.Type, path: string): Shape {
    const known = this.#names.get(type);
    if (known !== undefined) return { kind: 'reference', name: known };
    if (this.#open.has(type)) return this.#named(type, this.checker.typeToString(type));
    this.#count += 1;
    if (this.#open.size > DEPTH_MAX || this.#count > TYPES_MAX) return this.tell(path, 'grows without an end as it is looked into');
    const title = this.#titleOf(type);
    if (title === undefined || this.#isPlain(type)) return this.#unnamed(type, path);
    const reference = this.#named(type, title);
    const shape = this.#within(type, () => this.#bodyOf(type, path));
    this.definitions[reference.name] = this.#withTypeDocs(type, shape, path);
    return reference;
  }

  #named(type: ts.Type, title: string): ReferenceShape {
    const name = this.#freeName(title);
    this.#names.set(type, name);
    this.definitions[name] = { kind: 'never' };
    return { kind: 'reference', name };
  }

  /** In place, unless it was met within itself (`Tree | null` in a member of `Tree`): then it has got a name. */
  #unnamed(type: ts.Type, path: string): Shape {
    const shape = this.#within(type, () => this.#bodyOf(type, path));
    const name = this.#names.get(type);
    if (name === undefined) return shape;
    this.definitions[name] = shape;
    return { kind: 'reference', name };
  }

  #within(type: ts.Type, make: () => Shape): Shape {
    this.#open.add(type);
    try {
      return make();
    } finally {
      this.#open.delete(type);
    }
  }

  #bodyOf(type: ts.Type, path: string): Shape {
    this.noteFiles(type.aliasSymbol);
    this.noteFiles(type.getSymbol());
    if (type.isUnion()) return unionOf(type, path, this);
    if (type.isIntersection()) return intersectionOf(type, path, this);
    if (this.checker.isTupleType(type)) return tupleOf(type as ts.TupleTypeReference, path, this);
    if (this.checker.isArrayType(type)) {
      const [items] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { kind: 'array', items: items === undefined ? { kind: 'any' } : this.shapeOf(items, `${path}[]`) };
    }
    const builtin = builtinOf(type, this.program);
    if (builtin?.kind === 'shape') return builtin.shape;
    if (builtin?.kind === 'problem') return this.tell(path, builtin.message);
    if (builtin !== undefined) return this.#collection(builtin.kind, type, path);
    const coded = codecOf(type, path, this);
    if (coded !== undefined) return coded;
    const problem = whyNoData(type, this);
    if (problem !== undefined) return this.tell(path, problem);
    const shape = objectOf(type, path, this);
    return shape.kind === 'object' && shape.unknown === 'keep' ? this.#anything(type, path) : shape;
  }

  #collection(kind: 'map' | 'set', type: ts.Type, path: string): Shape {
    const [first, second] = this.checker.getTypeArguments(type as ts.TypeReference);
    const shape = (one: ts.Type | undefined, where: string): Shape => (one === undefined ? { kind: 'any' } : this.shapeOf(one, where));
    if (kind === 'set') return { kind, items: shape(first, `${path}<>`) };
    return { kind, key: shape(first, `${path}<key>`), value: shape(second, `${path}<value>`) };
  }

  #any(type: ts.Type, path: string): Shape {
    const { intrinsicName } = type as ts.Type & { readonly intrinsicName?: string };
    if (intrinsicName !== 'error') return this.#anything(type, path);
    const name = type.aliasSymbol?.name;
    const what = name === undefined || name === path ? 'is' : `is ${name}, which is`;
    return this.tell(path, `${what} not found: an import that leads nowhere, or a name that is not declared`);
  }

  /** `unknown`, `any`, `object`, `{}`: whatever comes is taken, unless the application asks for types that say more. */
  #anything(type: ts.Type, path: string): Shape {
    const isObject = (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) === 0;
    if (!this.#strict) return isObject ? { kind: 'object', properties: [], unknown: 'keep' } : { kind: 'any' };
    const name = this.checker.typeToString(type);
    return this.tell(path, `is ${name}, of which nothing is checked: name what it holds (strictTypes in tsconfig.json asks for that)`);
  }

  /** Files whose change may change the type. */
  noteFiles(symbol: ts.Symbol | undefined): void {
    for (const declaration of symbol?.declarations ?? []) this.files.add(declaration.getSourceFile().fileName);
  }

  /** What people call the type: `Page<User>`. */
  #titleOf(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    if (symbol === undefined || symbol.name.startsWith('__')) return undefined;
    if (
      type.aliasSymbol === undefined &&
      (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.RegularEnum)) === 0
    )
      return undefined;
    return this.checker.typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    );
  }

  /** What is said in place rather than as a definition: texts with rules, unions of literals, arrays, the platform's. */
  #isPlain(type: ts.Type): boolean {
    const plain =
      ts.TypeFlags.StringLike |
      ts.TypeFlags.NumberLike |
      ts.TypeFlags.BigIntLike |
      ts.TypeFlags.BooleanLike |
      ts.TypeFlags.Undefined |
      ts.TypeFlags.Null;
    const isScalar = (one: ts.Type): boolean =>
      (one.flags & plain) !== 0 || (one.isIntersection() && one.types.some((part) => (part.flags & plain) !== 0));
    if (type.isUnion()) return type.types.every(isScalar);
    if (isScalar(type)) return true;
    return (
      type.aliasSymbol === undefined &&
      (this.checker.isArrayType(type) || this.checker.isTupleType(type) || builtinOf(type, this.program) !== undefined)
    );
  }

  #freeName(title: string): string {
    let name = title;
    for (let number = 2; name in this.definitions; number += 1) name = `${title} (${number})`;
    return name;
  }

  #withTypeDocs(type: ts.Type, shape: Shape, path: string): Shape {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    if (symbol === undefined || isLibrary(symbol, this.program)) return shape;
    return withDocs(shape, symbol, this.checker, (message) => void this.tell(path, message));
  }
}

/** `Partial<User>` is not what the comment of `Partial` is about. */
const isLibrary = (symbol: ts.Symbol, program: ts.Program): boolean =>
  (symbol.declarations ?? []).some((declaration) => program.isSourceFileDefaultLibrary(declaration.getSourceFile()));
