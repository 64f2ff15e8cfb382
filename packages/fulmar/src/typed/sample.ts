/**
 * Values that fit a type, for tests and examples: the same ones for the same seed. A text of a pattern cannot
 * be made up; its `@example` is taken.
 */
import type {
  ArrayShape,
  BytesShape,
  CodecShape,
  NumberShape,
  ObjectShape,
  Property,
  Shape,
  ShapeDocument,
  StringShape,
  TupleShape,
} from '../shape/shape.ts';
import { codecOf, reads } from '../shape/validate/codecs.ts';
import { setMember } from '../shape/validate/copy.ts';
import { Heights } from './heights.ts';
import { bytesOf } from './wire.ts';

/** Below this no list has members and no optional member is there, or values of types that contain themselves would not end. */
const DEPTH_MAX = 5;
const HARD_DEPTH_MAX = 60;
const LIST_MAX = 3;
/** Different numbers that are made. */
const STEPS_MAX = 1000;
const DIGITS = 15;
/** Of a `Float64Array`. */
const ELEMENT_BYTES_MAX = 8;
/** Characters that a code unit of bytes has. */
const BYTE_VALUES = 256;
/** Values that are made up for a codec, which may refuse some. */
const TRIES_MAX = 100;
const DAY_MS = 86_400_000;
const DAYS = 20_000;

const FORMATS: Readonly<Record<string, (number: number) => string>> = {
  email: (number) => `ada${number}@example.com`,
  'idn-email': (number) => `ada${number}@example.com`,
  uuid: (number) => `018f6b1e-7c00-7000-8000-${hex(number)}`,
  uuidv4: (number) => `018f6b1e-7c00-4000-8000-${hex(number)}`,
  uuidv7: (number) => `018f6b1e-7c00-7000-8000-${hex(number)}`,
  date: (number) => day(number).slice(0, 10),
  time: (number) => `${day(number).slice(11, 19)}Z`,
  'date-time': (number) => day(number),
  duration: (number) => `P${number % 30}D`,
  hostname: (number) => `host${number}.example.com`,
  ipv4: (number) => `192.0.2.${number % 256}`,
  ipv6: (number) => `2001:db8::${(number % 65_536).toString(16)}`,
  uri: (number) => `https://example.com/${number}`,
  'uri-reference': (number) => `/${number}`,
  url: (number) => `https://example.com/${number}`,
  'json-pointer': (number) => `/${number}`,
  regex: (number) => `^${number}$`,
  byte: (number) => `${hex(number)}`,
};

const hex = (number: number): string => number.toString(16).padStart(12, '0').slice(-12);
const day = (number: number): string => new Date((number % DAYS) * DAY_MS).toISOString();

export function sampleOf<T>({ root, definitions }: ShapeDocument, seed = 1): T {
  return new Sampler(definitions, seed).value(root, 0, '$') as T;
}

const TEMPORAL: Readonly<Record<string, ((number: number) => string) | undefined>> = {
  'Temporal.Instant': day,
  'Temporal.PlainDate': (number) => day(number).slice(0, 10),
  'Temporal.PlainDateTime': (number) => day(number).slice(0, 19),
  'Temporal.PlainTime': (number) => `${String(number % 24).padStart(2, '0')}:30:00`,
  'Temporal.PlainYearMonth': (number) => day(number).slice(0, 7),
  'Temporal.PlainMonthDay': (number) => day(number).slice(5, 10),
  'Temporal.ZonedDateTime': (number) => `${day(number).slice(0, 19)}+00:00[UTC]`,
  'Temporal.Duration': (number) => `P${number}D`,
};

class Sampler {
  readonly #definitions: ShapeDocument['definitions'];
  readonly #heights: Heights;
  #state: number;

  constructor(definitions: ShapeDocument['definitions'], seed: number) {
    this.#definitions = definitions;
    this.#heights = new Heights(definitions);
    this.#state = Math.trunc(seed) >>> 0;
  }

  /** Mulberry32: enough for examples, the same everywhere. */
  #next(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  value(shape: Shape, depth: number, path: string): unknown {
    if (depth > HARD_DEPTH_MAX) throw new TypeError(`there is no finite sample of ${path}: the type requires itself`);
    const [example] = shape.notes?.examples ?? [];
    if (example !== undefined) return example;
    switch (shape.kind) {
      case 'any':
      case 'null':
        return null;
      case 'boolean':
        return this.#next(2) === 1;
      case 'literal':
        return shape.value;
      case 'enum':
        return shape.values[this.#next(shape.values.length)];
      case 'string':
        return this.#text(shape, path);
      case 'template':
        return shape.parts.map((part) => (typeof part === 'string' ? part : String(this.value(part, depth + 1, path)))).join('');
      case 'number':
        return this.#number(shape);
      case 'bigint':
        return (
          (shape.minimum ?? (shape.maximum === undefined || shape.maximum > 0n ? 0n : shape.maximum)) +
          BigInt(shape.maximum === undefined ? this.#next(1000) : 0)
        );
      case 'date':
        return new Date(this.#next(DAYS) * DAY_MS);
      case 'codec':
        return this.#instance(shape, depth, path);
      case 'reference':
        return this.value(this.#definitions[shape.name] ?? { kind: 'never' }, depth + 1, path);
      case 'union':
        return this.value(this.#member(shape.members, depth), depth + 1, path);
      default:
        return this.#composite(shape, depth + 1, path);
    }
  }

  /** Of what is sent for it: not every text is one of a class. */
  #instance({ name, wire }: CodecShape, depth: number, path: string): unknown {
    const codec = codecOf(name);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const sent = TEMPORAL[name]?.(this.#next(DAYS)) ?? this.value(wire, depth + 1, path);
      if (reads(codec, sent)) return codec.decode(sent);
    }
    throw new TypeError(`of ${path} no sample is made: its codec ${name} refuses what is made up for it`);
  }

  #composite(shape: Shape, depth: number, path: string): unknown {
    switch (shape.kind) {
      case 'array':
        return this.#array(shape, depth, path);
      case 'tuple':
        return this.#tuple(shape, depth, path);
      case 'object':
        return this.#object(shape, depth, path);
      case 'map':
        return new Map(
          this.#list(depth, shape.minSize, shape.maxSize).map((_, at) => [
            this.value(shape.key, depth, path),
            this.value(shape.value, depth, `${path}.${at}`),
          ]),
        );
      case 'set':
        return new Set(this.#list(depth, shape.minSize, shape.maxSize).map(() => this.value(shape.items, depth, path)));
      case 'bytes':
        return this.#bytes(shape);
      case 'url':
        return new URL(`https://example.com/${this.#next(1000)}`);
      case 'regexp':
        return /sample/;
      case 'undefined':
        return undefined;
      case 'intersection':
        return this.value(shape.members[0] ?? { kind: 'never' }, depth, path);
      default:
        throw new TypeError(`there is no sample of ${path}, which takes nothing`);
    }
  }

  #text({ minLength = 0, maxLength = Infinity, patterns, format }: StringShape, path: string): string {
    if (patterns !== undefined) throw new TypeError(`a text of a pattern is not made up: give ${path} an @example`);
    const number = this.#next(1_000_000);
    const made = format === undefined ? `text ${number}` : FORMATS[format]?.(number);
    if (made === undefined) throw new TypeError(`a text of the format ${format} is not made up: give ${path} an @example`);
    return format === undefined ? made.slice(0, maxLength).padEnd(minLength, 'x') : made;
  }

  #number({ integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: NumberShape): number {
    const step = multipleOf ?? (integer === true ? 1 : 0.5);
    const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
    const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
    const base = low === -Infinity ? Math.min(0, high === Infinity ? 0 : high - 1000 * step) : low;
    const first = Math.ceil(base / step) * step;
    const start = first === exclusiveMinimum || first < low ? first + step : first;
    const room = high === Infinity ? 1000 : Math.floor((high - start) / step) + (exclusiveMaximum === high ? 0 : 1);
    // Where no step fits between the bounds there is something between them.
    if (room < 1) return minimum ?? maximum ?? (low + high) / 2;
    // Digits that come of adding fractions are not meant.
    return Number((start + this.#next(Math.min(room, STEPS_MAX)) * step).toPrecision(DIGITS));
  }

  #list(depth: number, min = 0, max = Infinity): undefined[] {
    const length = depth > DEPTH_MAX ? min : Math.min(Math.max(min, this.#next(LIST_MAX + 1)), max);
    return Array.from({ length }, () => undefined);
  }

  #array(shape: ArrayShape, depth: number, path: string): unknown[] {
    const items = this.#list(depth, shape.minItems, shape.maxItems).map(() => this.value(shape.items, depth, `${path}[]`));
    return shape.unique === true ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()] : items;
  }

  #tuple({ items, rest, last = [] }: TupleShape, depth: number, path: string): unknown[] {
    const wanted = depth > DEPTH_MAX ? items.filter((item) => item.optional !== true) : items;
    const between = rest === undefined ? [] : this.#list(depth).map(() => this.value(rest, depth, `${path}[]`));
    return [
      ...wanted.map(({ shape }) => this.value(shape, depth, path)),
      ...between,
      ...last.map(({ shape }) => this.value(shape, depth, path)),
    ];
  }

  #object({ properties, index = [] }: ObjectShape, depth: number, path: string): object {
    const made = {};
    const isThere = ({ presence, shape }: Property): boolean =>
      presence === 'required' || (shape.kind !== 'never' && depth <= DEPTH_MAX && this.#next(2) === 1);
    for (const property of properties)
      if (isThere(property)) setMember(made, property.name, this.value(property.shape, depth, `${path}.${property.name}`));
    for (const { key, value } of index) {
      for (const _ of this.#list(depth)) {
        const name = String(this.value(key, depth, path));
        if (!Object.hasOwn(made, name)) setMember(made, name, this.value(value, depth, path));
      }
    }
    return made;
  }

  /** Deep down the members that end soonest. */
  #member(members: readonly Shape[], depth: number): Shape {
    const usable = members.filter(({ kind }) => kind !== 'never' && kind !== 'undefined');
    const all = usable.length > 0 ? usable : members;
    const heights = depth > DEPTH_MAX ? all.map((member) => this.#heights.of(member)) : [];
    const least = Math.min(...heights);
    const among = depth > DEPTH_MAX ? all.filter((_, at) => heights[at] === least) : all;
    return among[this.#next(among.length)] ?? { kind: 'never' };
  }

  /** Of as many bytes as every class of them can take, unless that is too many. */
  #bytes({ type, minBytes = 1, maxBytes = Infinity }: BytesShape): unknown {
    const length = Math.min(Math.ceil(minBytes / ELEMENT_BYTES_MAX) * ELEMENT_BYTES_MAX, maxBytes);
    return bytesOf(btoa(Array.from({ length }, () => String.fromCharCode(this.#next(BYTE_VALUES))).join('')), type);
  }
}
