/**
 * What the names of a Python file mean: its classes with what becomes of their objects in JavaScript, its aliases of types,
 * and what was imported by which name. Pure.
 */
import type { ClassDeclaration, Expression, PythonModule, ValueDeclaration } from './python-module.ts';

/**
 * What JavaScript gets of an object: a handle (`object`), an object with its fields (`data`: dataclasses, models of
 * pydantic, named tuples), the same dict (`dict`: TypedDict), its value (`enum`).
 */
export type ClassKind = 'object' | 'data' | 'dict' | 'enum';

export interface PythonClass {
  readonly declaration: ClassDeclaration;
  readonly kind: ClassKind;
  /** What it is called in TypeScript. */
  readonly name: string;
  /** Classes of this file that it extends. */
  readonly bases: readonly PythonClass[];
  /** It extends something that is not in this file and may have any member. */
  readonly hasForeignBase: boolean;
}

/** Names that are something else in TypeScript, or that the declarations themselves use. */
export const TAKEN: ReadonlySet<string> = new Set(
  (
    'any unknown never object string number boolean symbol bigint null undefined void default module python Array AsyncIterable Date Decimal Float32Array ' +
    'Float64Array GuestHandle GuestObject Iterable Map NamedArguments NdArray Promise PromiseLike Readonly ReadonlyMap ReadonlySet Record Set TypedArray Uint8Array'
  ).split(' '),
);

const ENUMS = new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag']);
const DATA = new Set(['BaseModel', 'NamedTuple', 'Struct']);
/** Bases that say nothing of members. */
const PLAIN_BASES = new Set(['object', 'ABC', 'Generic', 'Protocol']);

/** The last part of a dotted name. */
export const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The name of what is subscribed, of `Generic[T]`. */
export function nameOf(expression: Expression): string | undefined {
  if (expression.kind === 'name') return lastOf(expression.name);
  return expression.kind === 'index' ? nameOf(expression.of) : undefined;
}

export class Scope {
  readonly #imports = new Map<string, string>();
  readonly #classes = new Map<string, PythonClass>();
  readonly #aliases = new Map<string, Expression>();

  /** @param isType whether an expression is a type, as `Union[int, str]` */
  constructor({ body }: PythonModule, isType: (expression: Expression) => boolean) {
    for (const one of body) {
      if (one.kind === 'import') this.#imports.set(one.name, one.from);
      if (one.kind === 'class') this.#addClass(one);
      if (one.kind === 'value') this.#addAlias(one, isType);
    }
  }

  classOf(name: string): PythonClass | undefined {
    return this.#classes.get(name);
  }

  get classes(): readonly PythonClass[] {
    return [...this.#classes.values()];
  }

  aliasOf(name: string): Expression | undefined {
    return this.#aliases.get(name);
  }

  /** `np.float64` as `numpy.float64`. */
  fullName(name: string): string {
    const [first = '', ...rest] = name.split('.');
    return [this.#imports.get(first) ?? first, ...rest].join('.');
  }

  #addClass(declaration: ClassDeclaration): void {
    const bases = declaration.bases.flatMap((base) => this.#classes.get(nameOf(base) ?? '') ?? []);
    const names = declaration.bases.map((base) => lastOf(this.fullName(nameOf(base) ?? '?')));
    const known = (name: string): boolean =>
      PLAIN_BASES.has(name) || ENUMS.has(name) || DATA.has(name) || name === 'TypedDict' || this.#classes.has(name);
    const { name } = declaration;
    this.#classes.set(name, {
      declaration,
      kind: kindOf(declaration, names, bases),
      name: TAKEN.has(name) ? `${name}_` : name,
      bases,
      hasForeignBase: names.some((one) => !known(one)),
    });
  }

  #addAlias({ name, annotation, value }: ValueDeclaration, isType: (expression: Expression) => boolean): void {
    if (value === null) return;
    const isSaid = annotation !== null && nameOf(annotation) === 'TypeAlias';
    const made = value.kind === 'call' ? nameOf(value.of) : undefined;
    if (made === 'NewType' && value.kind === 'call' && value.items[1] !== undefined) this.#aliases.set(name, value.items[1]);
    else if (made === 'TypeVar' || made === 'ParamSpec') this.#aliases.set(name, { kind: 'other' });
    else if (isSaid || (annotation === null && isType(value))) this.#aliases.set(name, value);
  }
}

function kindOf({ decorators }: ClassDeclaration, names: readonly string[], bases: readonly PythonClass[]): ClassKind {
  if (names.some((name) => ENUMS.has(name))) return 'enum';
  if (names.includes('TypedDict')) return 'dict';
  if (names.some((name) => DATA.has(name)) || decorators.some((name) => lastOf(name) === 'dataclass')) return 'data';
  return bases.find(({ kind }) => kind !== 'object')?.kind ?? 'object';
}
