/**
 * Types of Java as types of TypeScript, by what `fulmar/polyglot` makes of values: what a call gives (`out`) and what it
 * takes (`in`) differ. What is not known is `unknown`, never a guess. A reference is taken to be something, unless it is `@Nullable`. Pure.
 */
import type { Way } from '../annotations.ts';
import type { JavaClass, JavaFunction, JavaType } from './java-module.ts';

/** By name: the same in both directions, or one for each. All others of the JDK are handles. */
const VALUES: Readonly<Record<string, string | readonly [given: string, taken: string]>> = {
  boolean: 'boolean',
  byte: ['number', 'number | bigint'],
  short: ['number', 'number | bigint'],
  int: ['number', 'number | bigint'],
  long: 'number | bigint',
  float: 'number',
  double: 'number',
  char: 'string',
  void: 'null',
  'java.lang.Boolean': 'boolean',
  'java.lang.Byte': ['number', 'number | bigint'],
  'java.lang.Short': ['number', 'number | bigint'],
  'java.lang.Integer': ['number', 'number | bigint'],
  'java.lang.Long': 'number | bigint',
  'java.lang.Float': 'number',
  'java.lang.Double': 'number',
  'java.lang.Character': 'string',
  'java.lang.Void': 'null',
  'java.lang.String': 'string',
  'java.lang.CharSequence': ['string | GuestObject', 'string'],
  'java.lang.Object': 'unknown',
  'java.lang.Number': ['number | bigint | Decimal', 'number | bigint | Decimal'],
  'java.io.Serializable': 'unknown',
  'java.lang.constant.Constable': 'unknown',
  'java.math.BigInteger': 'number | bigint',
  'java.math.BigDecimal': ['Decimal', 'Decimal | number | bigint'],
  'java.util.UUID': 'string',
  'java.net.URI': 'string',
  'java.net.URL': 'string',
  'java.nio.file.Path': 'string',
  'java.io.File': ['GuestObject', 'string | GuestHandle'],
  'java.util.Locale': ['GuestObject', 'string | GuestHandle'],
  'java.time.ZoneId': ['GuestObject', 'string | GuestHandle'],
  'java.time.Duration': ['GuestObject', 'string | GuestHandle'],
  'java.io.InputStream': ['GuestObject', 'Uint8Array | GuestHandle'],
  'java.nio.ByteBuffer': 'Uint8Array',
  'java.time.Instant': 'Date',
  'java.util.Date': 'Date',
  'java.util.Calendar': 'Date',
  'java.time.ZonedDateTime': 'Date',
  'java.time.OffsetDateTime': 'Date',
  'java.time.LocalDateTime': ['Date', 'Date | string'],
  'java.time.LocalDate': ['string', 'Date | string'],
  'java.time.LocalTime': 'string',
  'java.time.temporal.TemporalAccessor': ['Date | string', 'Date'],
  'java.util.OptionalInt': ['number | null', 'GuestHandle'],
  'java.util.OptionalLong': ['number | bigint | null', 'GuestHandle'],
  'java.util.OptionalDouble': ['number | null', 'GuestHandle'],
};

/** Times of other classes are given as texts, and taken as handles of their own. */
const TIMES = /^java\.time\.(?:Year|YearMonth|MonthDay|OffsetTime|chrono\.\w+)$/;

/** Arrays of numbers that JavaScript has arrays of. */
const ARRAYS: Readonly<Record<string, string>> = {
  short: 'Int16Array',
  int: 'Int32Array',
  long: 'BigInt64Array',
  float: 'Float32Array',
  double: 'Float64Array',
};

/** A type in brackets where something is put behind it. */
const grouped = (type: string): string => (/^readonly |[|&]|=>/.test(type) ? `(${type})` : type);

function union(types: readonly string[]): string {
  const parts = [...new Set(types.map((type) => (type.includes('=>') && !type.startsWith('(') ? `(${type})` : type)))];
  return parts.includes('unknown') ? 'unknown' : parts.join(' | ');
}

/** What a class is called, of what becomes values and of what stays. */
export interface JavaNames {
  readonly of: ReadonlyMap<string, JavaClass>;
  readonly name: (javaName: string) => string;
}

export class JavaTypes {
  readonly #names: JavaNames;

  constructor(names: JavaNames) {
    this.#names = names;
  }

  typeOf(type: JavaType, way: Way): string {
    const plain = this.#plain(type, way);
    return type.isNullable === true ? union([plain, 'null']) : plain;
  }

  #plain(type: JavaType, way: Way): string {
    const { kind, name = '', items = [] } = type;
    const item = (at: number): string => (items[at] === undefined ? 'unknown' : this.typeOf(items[at], way));
    const isOut = way === 'out';
    const list = `${isOut ? '' : 'readonly '}${grouped(item(0))}[]`;
    switch (kind) {
      case 'value':
        return valueOf(name, way);
      case 'class':
        return this.#class(name, way);
      case 'array':
        return this.#array(items[0], way);
      case 'list':
        return list;
      case 'set':
        return isOut ? `Set<${item(0)}>` : `ReadonlySet<${item(0)}> | ${list}`;
      case 'map':
        return this.#map(items, way);
      case 'entry':
        return isOut ? `[${item(0)}, ${item(1)}]` : 'GuestHandle';
      case 'optional':
        return union([item(0), 'null']);
      case 'iterator':
        return isOut ? `AsyncIterable<${item(0)}> & GuestObject` : `${list} | GuestHandle`;
      case 'iterable':
        return isOut ? `Iterable<${item(0)}> | AsyncIterable<${item(0)}>` : `${list} | GuestHandle`;
      case 'future':
        return isOut ? item(0) : 'GuestHandle';
      case 'function':
        return type.function === undefined ? 'unknown' : this.functionOf(type.function, way);
      default:
        return 'unknown';
    }
  }

  /** What JavaScript gives may be a promise, what it gets always is one; what one takes the other gives. */
  functionOf(one: JavaFunction, way: Way): string {
    const list = this.parameters(one, way === 'out' ? 'in' : 'out');
    const isVoid = one.returns.kind === 'value' && one.returns.name === 'void';
    const given = isVoid && way === 'in' ? 'unknown' : this.typeOf(one.returns, way);
    if (way === 'out') return `((${list}) => Promise<${given}>) & GuestHandle`;
    return `((${list}) => ${given === 'unknown' ? given : `${given} | Promise<${given}>`}) | GuestHandle`;
  }

  parameters({ parameters, isRest }: JavaFunction, way: Way): string {
    return parameters
      .map(({ name, type }, at) => {
        const isLast = isRest && at === parameters.length - 1;
        // Behind the others, one by one.
        return isLast
          ? `...${safe(name)}: readonly ${grouped(this.typeOf(type.items?.[0] ?? type, way))}[]`
          : `${safe(name)}: ${this.typeOf(type, way)}`;
      })
      .join(', ');
  }

  #class(javaName: string, way: Way): string {
    const found = this.#names.of.get(javaName);
    if (found === undefined) return 'GuestObject';
    const name = this.#names.name(javaName);
    if (way === 'out' && found.kind === 'interface') return this.#implemented(found);
    if (way === 'out' || found.kind === 'enum') return name;
    if (found.kind === 'record') return `${name}Given | ${name}Handle`;
    return found.function === null ? name : this.functionOf(found.function, 'in');
  }

  /** Records and enums that implement an interface come as values all the same. */
  #implemented(one: JavaClass): string {
    const known = [...this.#names.of.values()];
    const values = known.filter(({ kind, supers }) => (kind === 'record' || kind === 'enum') && supers.includes(one.name));
    const isAll = one.permitted.length > 0 && one.permitted.every((name) => values.some((value) => value.name === name));
    return union([...(isAll ? [] : [this.#names.name(one.name)]), ...values.map(({ name }) => this.#names.name(name))]);
  }

  #array(element: JavaType | undefined, way: Way): string {
    const name = element?.kind === 'value' ? (element.name ?? '') : '';
    if (name === 'byte') return 'Uint8Array';
    if (name === 'char' && way === 'out') return 'string';
    const array = ARRAYS[name];
    if (array !== undefined) return way === 'out' ? array : `readonly ${grouped(valueOf(name, 'in'))}[] | TypedArray`;
    const item = element === undefined ? 'unknown' : this.typeOf(element, way);
    if (way === 'out') return `${grouped(item)}[]`;
    // Of numbers: what has a shape is taken, too.
    return `readonly ${grouped(item)}[]${item.includes('TypedArray') ? ' | NdArray' : ''}`;
  }

  /** A map without entries is an object: of its keys nothing is known while it runs. */
  #map([keys, values]: readonly JavaType[], way: Way): string {
    const key = keys === undefined ? 'unknown' : this.typeOf(keys, way);
    const value = values === undefined ? 'unknown' : this.typeOf(values, way);
    const record = `Record<string, ${value}>`;
    if (way === 'out') {
      if (key === 'string' && isText(keys)) return record;
      return key === 'unknown' ? `${record} | Map<unknown, ${value}>` : `Map<${key}, ${value}> | Record<string, never>`;
    }
    return key === 'string' || key === 'unknown' ? `Readonly<${record}> | ReadonlyMap<${key}, ${value}>` : `ReadonlyMap<${key}, ${value}>`;
  }
}

const isText = (type: JavaType | undefined): boolean => type?.name === 'java.lang.String';

function valueOf(name: string, way: Way): string {
  const found = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (found !== undefined) return typeof found === 'string' ? found : found[way === 'out' ? 0 : 1];
  if (TIMES.test(name)) return way === 'out' ? 'string' : 'GuestHandle';
  return way === 'out' ? 'GuestObject' : 'GuestHandle';
}

/** Other languages of the virtual machine have names that TypeScript has not. */
export const identifier = (name: string): string => name.replaceAll(/[^\p{ID_Continue}$]/gu, '_').replace(/^(?=\d)/, '_');

/** What a parameter cannot be called. */
const RESERVED: ReadonlySet<string> = new Set(
  'arguments await debugger delete eval export function in let typeof var with yield'.split(' '),
);

/** Compiled classes seldom keep the names of parameters: `arg0`. */
function safe(name: string): string {
  const [, number] = /^arg(\d+)$/.exec(name) ?? [];
  if (number !== undefined) return `argument${Number(number) + 1}`;
  const plain = identifier(name);
  return RESERVED.has(plain) ? `${plain}_` : plain;
}
