/**
 * What `util.inspect` is asked for, its state while it runs, its colours.
 */
export type Style = (text: string, kind: string) => string;

export interface InspectOptions {
  showHidden: boolean;
  depth: number | null;
  colors: boolean;
  customInspect: boolean;
  showProxy: boolean;
  maxArrayLength: number | null;
  maxStringLength: number | null;
  breakLength: number;
  compact: boolean | number;
  sorted: boolean | ((a: string, b: string) => number);
  getters: boolean | 'get' | 'set';
  numericSeparator: boolean;
}

export interface Context extends InspectOptions {
  maxArrayLength: number;
  maxStringLength: number;
  stylize: Style;
  /** Objects that are being shown, outermost first. */
  seen: object[];
  /** Numbers of the objects that contain themselves. */
  circular: Map<object, number> | undefined;
  indentation: number;
  /** The depth of what was shown last. */
  currentDepth: number;
  /** Characters made at each indentation. */
  budget: number[];
  userOptions: object | undefined;
}

export const defaults: InspectOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

type Codes = [number, number];

function bare<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, entries);
}

const FOREGROUND = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

function allColors(): Record<string, Codes> {
  const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
  const range = (from: number, reset: number, name: (base: string) => string): [string, Codes][] =>
    FOREGROUND.map((base, index) => [name(base), [from + index, reset]]);
  const bright = range(90, 39, (base) => (base === 'black' ? 'gray' : `${base}Bright`));
  const bgBright = range(100, 49, (base) => (base === 'black' ? 'bgGray' : `bg${upper(base)}Bright`));
  return bare<Codes>({
    reset: [0, 0],
    bold: [1, 22],
    dim: [2, 22],
    italic: [3, 23],
    underline: [4, 24],
    blink: [5, 25],
    inverse: [7, 27],
    hidden: [8, 28],
    strikethrough: [9, 29],
    doubleunderline: [21, 24],
    ...Object.fromEntries(range(30, 39, (base) => base)),
    ...Object.fromEntries(range(40, 49, (base) => `bg${upper(base)}`)),
    framed: [51, 54],
    overlined: [53, 55],
    ...Object.fromEntries(bright),
    ...Object.fromEntries(bgBright),
  });
}

const ALIASES: readonly (readonly [string, ...string[]])[] = [
  ['gray', 'grey', 'blackBright'],
  ['bgGray', 'bgGrey', 'bgBlackBright'],
  ['dim', 'faint'],
  ['strikethrough', 'crossedout', 'strikeThrough', 'crossedOut'],
  ['hidden', 'conceal'],
  ['inverse', 'swapColors', 'swapcolors'],
  ['doubleunderline', 'doubleUnderline'],
];

export const colors = allColors();
for (const [target, ...aliases] of ALIASES) {
  for (const alias of aliases) {
    Object.defineProperty(colors, alias, {
      get: () => colors[target],
      set(value: Codes) {
        colors[target] = value;
      },
      configurable: true,
      enumerable: false,
    });
  }
}

export const styles: Record<string, string> = bare({
  special: 'cyan',
  number: 'yellow',
  bigint: 'yellow',
  boolean: 'yellow',
  undefined: 'grey',
  null: 'bold',
  string: 'green',
  symbol: 'green',
  date: 'magenta',
  regexp: 'red',
  module: 'underline',
});

export const plain: Style = (text) => text;

export const colored: Style = (text, kind) => {
  const codes = colors[styles[kind] ?? ''];
  return codes === undefined ? text : `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
};

function isOption(key: string): key is keyof InspectOptions {
  return Object.hasOwn(defaults, key);
}

export function createContext(options: Partial<InspectOptions> & { stylize?: Style }): Context {
  const context = {
    ...defaults,
    stylize: plain,
    seen: [],
    circular: undefined,
    indentation: 0,
    currentDepth: 0,
    budget: [],
    userOptions: undefined,
  } as unknown as Context;
  for (const key of Object.keys(options)) {
    if (isOption(key) || key === 'stylize') (context as unknown as Record<string, unknown>)[key] = options[key as 'depth'];
    else context.userOptions ??= options;
  }
  if (context.colors) context.stylize = colored;
  context.maxArrayLength ??= Infinity;
  context.maxStringLength ??= Infinity;
  return context;
}

/** The options as a custom inspection function gets them. */
export function optionsOf(context: Context): Record<string, unknown> {
  const options: Record<string, unknown> = { stylize: context.stylize };
  for (const key in defaults) options[key] = context[key as keyof InspectOptions];
  return { ...options, ...context.userOptions };
}
