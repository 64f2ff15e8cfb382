/**
 * `error.stack` as V8 writes it: name and message, then the frames. QuickJS gives only the frames, and calls
 * what `Error.prepareStackTrace` says for every error; that is taken over here, so that an application's own
 * function still works.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';

type CallSite = NodeJS.CallSite & { getFunction?(): unknown };
type Prepare = (error: Error, frames: CallSite[]) => unknown;

/** How the host's own modules are called in frames. */
const INTERNAL = 'node:internal/';
/** What `fulmar build` calls the application's bundle, and its parts behind a slash. */
const BUNDLE = 'bundle.js';

const { isError } = Error as unknown as { isError: (value: unknown) => boolean };
const { defineProperty } = Reflect;
const { hasOwn } = Object;

/** What `Error.captureStackTrace` was asked for. */
let target: unknown;

/** Does the executable carry a source map? Asked by the first error of the application's own. */
let isMapped: boolean | undefined;

export function installStacks(): void {
  const { set } = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? {};
  if (set === undefined) return;
  delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
  set.call(Error, prepare);
  delete (Error.prototype as { stack?: unknown }).stack;
  const classes = [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError];
  for (const { prototype } of classes) watchName(prototype);
  defineProperty(Error, 'captureStackTrace', { value: captureStackTrace, writable: true, enumerable: false, configurable: true });
}

/** QuickJS's own function; `prepare` learns here for whom it asks. */
const capture = Error.captureStackTrace.bind(Error);
const { captureStackTrace } = {
  captureStackTrace(object: object, above?: unknown): void {
    target = object;
    try {
      // Frames begin beneath the function that is named: this one is not among them.
      capture(object, typeof above === 'function' ? (above as () => void) : captureStackTrace);
    } finally {
      target = undefined;
    }
    const { value: stack } = Object.getOwnPropertyDescriptor(object, 'stack') ?? {};
    if (typeof stack === 'string' && isError(object)) written.set(object as Error, stack);
  },
};

/**
 * Node writes a stack's first line when it is first read: a constructor that sets `this.name` changes it.
 * Here it is written anew.
 */
function watchName(prototype: Error): void {
  const { name } = prototype;
  Object.defineProperty(prototype, 'name', { get: () => name, set: setName, enumerable: false, configurable: true });
}

function setName(this: Error, value: string): void {
  const { value: stack } = Object.getOwnPropertyDescriptor(this, 'stack') ?? {};
  const before = typeof stack === 'string' ? header(this) : '';
  Reflect.defineProperty(this, 'name', { value, writable: true, enumerable: true, configurable: true });
  if (before === '' || !(stack as string).startsWith(before)) return;
  const renewed = header(this) + (stack as string).slice(before.length);
  this.stack = renewed;
  if (written.get(this) === stack) written.set(this, renewed);
}

const READS = /^cannot (read|set) property '(.*)' of (null|undefined)$/;
const FIXED: Readonly<Record<string, string>> = {
  'BigInt are forbidden in JSON.stringify': 'Do not know how to serialize a BigInt',
  'cannot convert symbol to string': 'Cannot convert a Symbol value to a string',
  'expecting hex digit': 'URI malformed',
  'expecting surrogate pair': 'URI malformed',
};
const UNSET = /^(.*) is not initialized$/;

/** V8's words for what QuickJS says otherwise, where they can be known. */
function reword(error: Error): void {
  const { message } = error;
  const [, verb, name, value] = READS.exec(message) ?? [];
  if (verb !== undefined) error.message = `Cannot ${verb} properties of ${value} (${verb === 'set' ? 'setting' : 'reading'} '${name}')`;
  const fixed = Object.hasOwn(FIXED, message) ? FIXED[message] : undefined;
  if (fixed !== undefined) error.message = fixed;
  const [, variable] = error instanceof ReferenceError ? (UNSET.exec(message) ?? []) : [];
  if (variable !== undefined) error.message = `Cannot access '${variable}' before initialization`;
}

/** V8 has no frames for these; `depd` tells callers apart by the frame above its own. */
const isHidden = (frame: CallSite): boolean => frame.isNative() && /^(call|apply)$/.test(frame.getFunctionName() ?? '');

/**
 * In QuickJS `stack` is an accessor of `Error.prototype` that takes text alone; in V8 a property of each
 * error, not enumerable when it is set, too. QuickJS also asks when something is thrown, and thrown again by
 * `finally` or `catch`: a stack tells where its error was made, and its first line what it says of itself
 * now, as V8 writes it when it is first read.
 */
function prepare(error: Error, all: CallSite[]): unknown {
  if (error === target) return stackOf(error, captured(all));
  if (!isError(error)) return error instanceof DOMException ? stackOf(error, all) : '';
  if (hasOwn(error, 'stack')) {
    renewHeader(error);
    return '';
  }
  const value = stackOf(error, all);
  keep(error, value);
  return value;
}

/** Stacks as they were written here: what an application has put in their place stays. */
const written = new WeakMap<Error, string>();

function keep(error: Error, value: unknown): void {
  defineProperty(error, 'stack', { value, writable: true, enumerable: false, configurable: true });
  if (typeof value === 'string') written.set(error, value);
}

/** What is thrown once more may have another message by now. */
function renewHeader(error: Error): void {
  const { value: stack } = Object.getOwnPropertyDescriptor(error, 'stack') ?? {};
  if (typeof stack !== 'string' || written.get(error) !== stack) return;
  const frames = stack.indexOf('\n    at ');
  const value = header(error) + (frames === -1 ? '' : stack.slice(frames));
  if (value !== stack) keep(error, value);
}

/** No frames where the function that was named is not among the callers, as in V8. */
function captured(all: CallSite[]): CallSite[] {
  return all[0]?.getFunction?.() === captureStackTrace ? [] : all;
}

function stackOf(error: Error, all: CallSite[]): unknown {
  const frames = all.some(isHidden) ? all.filter((frame) => !isHidden(frame)) : all;
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof URIError) reword(error);
  const custom = (Error as { prepareStackTrace?: Prepare }).prepareStackTrace;
  if (typeof custom === 'function') return custom.call(Error, error, completed(frames));
  let text = header(error);
  for (const frame of frames) text += `\n    at ${frameText(frame)}`;
  return text;
}

let isComplete = false;

function completed(frames: CallSite[]): CallSite[] {
  const [first] = frames;
  if (isComplete || first === undefined) return frames;
  isComplete = true;
  later<typeof import('./call-site.later.ts')>().complete(first, frameText);
  return frames;
}

function header(error: Error): string {
  try {
    const { name, message } = error;
    const head = name === undefined ? 'Error' : String(name);
    const tail = message === undefined ? '' : String(message);
    return head === '' ? tail : tail === '' ? head : `${head}: ${tail}`;
  } catch {
    return 'Error';
  }
}

function frameText(frame: CallSite): string {
  const name = frame.getFunctionName();
  const place = frame.isNative() ? '<anonymous>' : placeText(frame.getFileName(), frame.getLineNumber() ?? 0, frame.getColumnNumber() ?? 0);
  return name ? `${name} (${place})` : place;
}

function placeText(file: string | null | undefined, line: number, column: number): string {
  if (file?.startsWith(BUNDLE) === true && (isMapped ??= ops.fileFacts('main.map').length > 0)) {
    const map = file === BUNDLE ? 'main.map' : `${file.slice(BUNDLE.length + 1)}.map`;
    const found = later<typeof import('./stack-map.later.ts')>().sourceOf(map, line, column);
    if (found !== undefined) return `${found.file}:${found.line}:${found.column}`;
  }
  return `${fileName(file)}:${line}:${column}`;
}

function fileName(name: string | null | undefined): string {
  if (!name) return '<anonymous>';
  if (!name.startsWith(INTERNAL)) return name;
  const module = name.slice(INTERNAL.length).replace(/\.cjs$/, '');
  return module.startsWith('node/') ? `node:${module.slice('node/'.length)}` : name;
}
