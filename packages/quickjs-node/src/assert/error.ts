/**
 * `AssertionError`: what was expected and what was there, as Node tells it.
 */
import { inspect } from '../util/show.ts';
import { validateObject } from '../shared/validators.ts';
import { differences, printed } from './diff.ts';

export interface AssertionOptions {
  message?: unknown;
  actual?: unknown;
  expected?: unknown;
  operator?: string;
  stackStartFn?: (...args: never[]) => unknown;
  stackStartFunction?: (...args: never[]) => unknown;
  diff?: 'simple' | 'full' | undefined;
}

const TEXTS: Readonly<Record<string, string>> = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};
const WITH_DIFF: ReadonlySet<string | undefined> = new Set(['deepStrictEqual', 'strictEqual', 'partialDeepStrictEqual']);
/** Two values that are together no longer are shown in one line. */
const SHORT_MAX = 12;
const LONG_MAX = 512;
const LINES_MAX = 50;
/** Longer texts are not marked at the first difference. */
const LINE_MAX = 80;

function shown(value: unknown): string {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

function isReference(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function simpleDiff(actual: unknown, a: string, expected: unknown, b: string): { text: string; header?: string } {
  const quotes = (typeof actual === 'string' ? 2 : 0) + (typeof expected === 'string' ? 2 : 0);
  if (a.length + b.length - quotes <= SHORT_MAX && (actual !== 0 || expected !== 0)) return { text: `${a} !== ${b}`, header: '' };
  let text = `\n+ ${a}\n- ${b}`;
  if (typeof actual === 'string' && typeof expected === 'string' && a.length + b.length <= LINE_MAX) {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    if (at >= 3 && at < a.length) text += `\n${' '.repeat(at + 2)}^`;
  }
  return { text };
}

function diffMessage(options: AssertionOptions): string {
  const { actual, expected, diff } = options;
  let operator = options.operator as string;
  const objects = isReference(actual) && isReference(expected) && typeof actual === typeof expected;
  if (operator === 'strictEqual' && objects) operator = 'strictEqualObject';
  const [a, b] = [shown(actual), shown(expected)];
  const [linesA, linesB] = [a.split('\n'), b.split('\n')];
  let header = '+ actual - expected';
  let skipped = false;
  let text: string;
  const oneObject = typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null;
  if (linesA.length === 1 && linesB.length === 1 && !oneObject) {
    const simple = simpleDiff(actual, a, expected, b);
    ({ text } = simple);
    header = simple.header ?? header;
  } else if (a === b) {
    operator = 'notIdentical';
    header = '';
    skipped = linesA.length > LINES_MAX && diff !== 'full';
    text = skipped ? `${linesA.slice(0, LINES_MAX).join('\n')}\n...}` : a;
  } else {
    const result = printed(differences(linesA, linesB, typeof actual === 'object' && actual !== null));
    ({ text, skipped } = result);
  }
  const first = (options.message as string | undefined) || TEXTS[operator];
  return `${first}\n${header}${skipped ? '\n... Skipped lines' : ''}\n${text}\n`;
}

function unequalMessage({ actual, operator, diff }: AssertionOptions): string {
  const base = operator === 'notStrictEqual' && isReference(actual) ? TEXTS['notStrictEqualObject'] : TEXTS[operator as string];
  let lines = shown(actual).split('\n');
  if (lines.length > LINES_MAX && diff !== 'full') lines = [...lines.slice(0, 46), '...'];
  const [only = ''] = lines;
  return lines.length === 1 ? `${base}${only.length > 5 ? '\n\n' : ' '}${only}` : `${base}\n\n${lines.join('\n')}\n`;
}

function looseMessage({ actual, expected, operator, diff }: AssertionOptions): string {
  let [a, b] = [shown(actual), shown(expected)];
  const known = TEXTS[operator as string];
  if (operator === 'notDeepEqual' && a === b) {
    const text = `${known}\n\n${a}`;
    return text.length > 1024 && diff !== 'full' ? `${text.slice(0, 1021)}...` : text;
  }
  const cut = (text: string): string => (text.length > LONG_MAX && diff !== 'full' ? `${text.slice(0, 509)}...` : text);
  [a, b] = [cut(a), cut(b)];
  if (operator === 'deepEqual') return `${known}\n\n${a}\n\nshould loosely deep-equal\n\n${b}`;
  const other = TEXTS[`${operator}Unequal`];
  if (other !== undefined) return `${other}\n\n${a}\n\nshould not loosely deep-equal\n\n${b}`;
  return `${a} ${operator} ${b}`;
}

function messageOf(options: AssertionOptions): string {
  if (WITH_DIFF.has(options.operator)) return diffMessage(options);
  if (options.message !== undefined && options.message !== null) return String(options.message);
  if (options.operator === 'notDeepStrictEqual' || options.operator === 'notStrictEqual') return unequalMessage(options);
  return looseMessage(options);
}

/** An error without its stack, which would be compared line by line. */
function withoutStack(error: Error): Error {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(error) as object) as Error, error);
  Object.defineProperty(copy, 'message', { value: error.message });
  if (Object.hasOwn(error, 'cause')) {
    const { cause } = error;
    Object.defineProperty(copy, 'cause', { value: cause instanceof Error ? withoutStack(cause) : cause });
  }
  return copy;
}

function shortened(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const lines = text.split('\n', 11);
  if (lines.length > 10) return `${lines.slice(0, 10).join('\n')}\n...`;
  return text.length > LONG_MAX ? `${text.slice(LONG_MAX)}...` : text;
}

export class AssertionError extends Error {
  generatedMessage: boolean;
  code: string;
  actual: unknown;
  expected: unknown;
  operator: string | undefined;
  diff: string;

  constructor(options: AssertionOptions) {
    validateObject(options, 'options');
    const own = { ...options };
    const generated = own.message === undefined || own.message === null;
    if (generated && own.actual instanceof Error && own.expected instanceof Error) {
      own.actual = withoutStack(own.actual);
      own.expected = withoutStack(own.expected);
    }
    super(messageOf(own));
    this.generatedMessage = !own.message;
    Object.defineProperty(this, 'name', {
      value: 'AssertionError [ERR_ASSERTION]',
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    this.actual = own.actual;
    this.expected = own.expected;
    this.operator = own.operator;
    Error.captureStackTrace(this, own.stackStartFn ?? own.stackStartFunction);
    // The stack names the code; the error does not.
    void this.stack;
    this.name = 'AssertionError';
    this.diff = own.diff ?? 'simple';
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth: number, context: object): string {
    const { actual, expected } = this;
    this.actual = shortened(actual);
    this.expected = shortened(expected);
    const text = inspect(this, { ...context, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return text;
  }
}
