/**
 * What every shape is compiled to: how a value is checked, how it is told what is wrong with one, and what is
 * handed on instead of it.
 */
import type { Shape } from '../shape.ts';

export type Path = readonly (string | number)[];

export interface Issue {
  readonly path: Path;
  /** What the shape asks for, in a few words. */
  readonly expected: string;
  /** What came: a type, and a length where that is what is wrong. Never the value. */
  readonly received: string;
  readonly message: string;
}

/** Takes issues until it is full. */
export interface Report {
  readonly isFull: boolean;
  add(path: Path, expected: string, value: unknown, received?: string): void;
}

export interface Rule {
  readonly expected: string;
  /** Kinds of values that may fit, as bits of `Kind`; the rest is refused by a look at its type. */
  readonly kinds: number;
  readonly check: (value: unknown) => boolean;
  /** The same check as one of `Look`; missing where a look at the type does not do. */
  readonly look?: number;
  /** For values that `check` refuses: adds one issue at least, unless the report is full. */
  readonly explain: (value: unknown, path: Path, report: Report) => void;
  /** The value with defaults, converted texts and without what is to be left out; null where nothing ever changes. */
  readonly convert: ((value: unknown) => unknown) | null;
}

/**
 * `value`: values as they are. `text`: texts stand for numbers, booleans, null and dates, a single one for a
 * list. `fields`: the same, and members that are not known are left out rather than refused: of what a client
 * sends along nobody knows everything. `reply`: a value that is to be JSON; members that are not known are
 * left out, and `toJSON` counts.
 */
export type Mode = 'value' | 'text' | 'fields' | 'reply';

export interface Compiling {
  readonly mode: Exclude<Mode, 'fields'>;
  /** Whether unknown members are left out where the shape refuses them. */
  readonly isLenient: boolean;
  /** Compiles what stands within a shape. */
  readonly rule: (shape: Shape) => Rule;
}
