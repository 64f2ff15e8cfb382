/**
 * Values that JavaScript has no class for: what guests' decimals and arrays with a shape become, and what says that
 * arguments are given by name.
 */
import { ELEMENT_NAMES, ELEMENTS, type ElementName, type TypedArray } from './wire/tags.ts';

/** A decimal number, exactly: Python's `Decimal`, Java's and Ruby's `BigDecimal`. */
export class Decimal {
  readonly #digits: string;

  /**
   * @param value its digits, as `'-12.30'` or `'1.5E+9'`
   * @throws TypeError for what is no number
   */
  constructor(value: string | number | bigint) {
    const digits = String(value).trim();
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?$|^[+-]?(?:Infinity|s?NaN\d*)$/.test(digits))
      throw new TypeError(`a decimal number is expected, as '12.30', and this is ${JSON.stringify(digits)}`);
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }

  toJSON(): string {
    return this.#digits;
  }

  /** As `console.log()` shows it. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Decimal ${this.#digits}`;
  }

  /** The nearest number. */
  valueOf(): number {
    return Number(this.#digits);
  }
}

/** An array of numbers with a shape, in the order of C: the last dimension runs fastest. */
export class NdArray<Data extends TypedArray = TypedArray> {
  readonly data: Data;
  readonly shape: readonly number[];
  readonly dtype: ElementName;

  /**
   * @param data its elements, one after the other
   * @param shape the length of each dimension; their product is that of the data
   * @throws TypeError where they do not fit
   */
  constructor(data: Data, shape: readonly number[] = [data.length], dtype: ElementName = elementOf(data)) {
    const product = shape.reduce((length, one) => length * one, 1);
    if (product !== data.length)
      throw new TypeError(`an array of the shape (${shape.join(', ')}) has ${product} elements, and the data has ${data.length}`);
    this.data = data;
    this.shape = shape;
    this.dtype = dtype;
  }

  get length(): number {
    return this.shape[0] ?? 1;
  }

  /** Lists of lists, as they are written in a program. */
  toJSON(): unknown {
    const build = (dimension: number, offset: number, size: number): unknown => {
      if (dimension === this.shape.length) return plain(this.data[offset]);
      const length = this.shape[dimension] as number;
      const each = length === 0 ? 0 : size / length;
      return Array.from({ length }, (_, index) => build(dimension + 1, offset + index * each, each));
    };
    return build(0, 0, this.data.length);
  }
}

const plain = (value: number | bigint | undefined): unknown => (typeof value === 'bigint' ? Number(value) : value);

/** Code of the elements of a typed array. -1: it is of another class. */
export function codeOf(data: ArrayBufferView): number {
  return ELEMENTS.findIndex((one) => data instanceof one);
}

function elementOf(data: TypedArray): ElementName {
  const name = ELEMENT_NAMES[codeOf(data)];
  if (name === undefined) throw new TypeError('a typed array of numbers is expected');
  return name;
}

/** Arguments by name, as the last of a call. */
export class NamedArguments<Values extends object = Readonly<Record<string, unknown>>> {
  readonly values: Values;

  constructor(values: Values) {
    this.values = values;
  }
}

/** Arguments by name: `await model.predict(rows, kwargs({ scale: 2 }))`. The last argument of a call. */
export const kwargs = <Values extends object>(values: Values): NamedArguments<Values> => new NamedArguments(values);
