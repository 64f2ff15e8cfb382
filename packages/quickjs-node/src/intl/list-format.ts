/**
 * `Intl.ListFormat` as American English writes lists.
 */
export type ListOptions = Intl.ListFormatOptions;

const TYPES = ['conjunction', 'disjunction', 'unit'] as const;
const STYLES = ['long', 'short', 'narrow'] as const;

/** What stands between two items that are all, between items, and before the last of more. */
type Literals = readonly [pair: string, between: string, last: string];

const OR: Literals = [' or ', ', ', ', or '];
const COMMAS: Literals = [', ', ', ', ', '];
const LITERALS: Readonly<Record<(typeof TYPES)[number], Readonly<Record<(typeof STYLES)[number], Literals>>>> = {
  conjunction: { long: [' and ', ', ', ', and '], short: [' & ', ', ', ', & '], narrow: COMMAS },
  disjunction: { long: OR, short: OR, narrow: OR },
  unit: { long: COMMAS, short: COMMAS, narrow: [' ', ' ', ' '] },
};

function oneOf<T extends string>(value: unknown, all: readonly T[], name: string): T {
  if (value === undefined) return all[0] as T;
  const found = all.find((one) => one === String(value));
  if (found === undefined) throw new RangeError(`Value ${String(value)} out of range for Intl.ListFormat options property ${name}`);
  return found;
}

export class ListFormatter {
  readonly type: (typeof TYPES)[number];
  readonly style: (typeof STYLES)[number];

  /** Throws a `RangeError` for types and styles that do not exist. */
  constructor(options: ListOptions = {}) {
    this.type = oneOf(options.type, TYPES, 'type');
    this.style = oneOf(options.style, STYLES, 'style');
  }

  parts(list: Iterable<unknown>): { readonly type: 'element' | 'literal'; readonly value: string }[] {
    const items = [...list].map((item) => {
      if (typeof item !== 'string') throw new TypeError(`Iterable yielded ${String(item)} which is not a string`);
      return item;
    });
    const [pair, between, last] = LITERALS[this.type][this.style];
    return items.flatMap((value, at) => {
      const literal = items.length === 2 ? pair : at === items.length - 1 ? last : between;
      const element = { type: 'element', value } as const;
      return at === 0 ? [element] : [{ type: 'literal', value: literal } as const, element];
    });
  }
}
