/**
 * `Console` and what writes for it. The global console writes to the descriptors directly until the
 * application has made `process.stdout` or `process.stderr`, so that a server that prints one line loads no
 * streams.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import type * as Table from './table.later.ts';
import { coded } from '../shared/errors.ts';
import { format, formatWithOptions, inspect } from '../util/show.ts';
import { channels } from './channels.ts';
import { validateArray, validateInteger, validateObject, validateOneOf } from '../shared/validators.ts';

type Which = 'stdout' | 'stderr';

interface Sink {
  write(text: string, done?: (error?: Error | null) => void): unknown;
  listenerCount?(name: string): number;
  once?(name: string, listener: () => void): unknown;
  removeListener?(name: string, listener: () => void): unknown;
  isTTY?: boolean;
  getColorDepth?(): number;
}

interface ConsoleOptions {
  readonly stdout: Sink;
  readonly stderr?: Sink;
  readonly ignoreErrors?: boolean;
  readonly colorMode?: boolean | 'auto';
  readonly inspectOptions?: object | Map<Sink, object>;
  readonly groupIndentation?: number;
}

interface State {
  stream(which: Which): Sink | undefined;
  ignoreErrors: boolean;
  colorMode: boolean | 'auto';
  groupWidth: number;
  group: string;
  counts: Map<string, number>;
  inspectOptions: Map<Sink, { colors?: boolean }> | undefined;
}

const INDENTATION_MAX = 1000;
const states = new WeakMap<object, State>();

function stateOf(self: object): State {
  const state = states.get(self);
  if (state === undefined) throw coded(TypeError, 'ERR_INVALID_THIS', 'Value of "this" must be of type Console');
  return state;
}

function noop(): void {}

/** A stream that somebody has made already; undefined while `process` has only its getter. */
function madeStream(which: Which): Sink | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(process, which);
  return descriptor?.get === undefined ? (descriptor?.value as Sink | undefined) : undefined;
}

function writeText(self: object, which: Which, given: string): void {
  const state = stateOf(self);
  const text = `${state.group === '' ? given : state.group + given.replaceAll('\n', `\n${state.group}`)}\n`;
  const stream = state.stream(which);
  if (stream === undefined) {
    ops.writeSync(which === 'stdout' ? 1 : 2, text);
    return;
  }
  if (!state.ignoreErrors) {
    stream.write(text);
    return;
  }
  try {
    if (stream.listenerCount?.('error') === 0) stream.once?.('error', noop);
    stream.write(text, (error) => {
      if (error && stream.listenerCount?.('error') === 0) stream.once?.('error', noop);
    });
  } catch (error) {
    if (error instanceof RangeError || (error as Error).name === 'InternalError') throw error;
  } finally {
    stream.removeListener?.('error', noop);
  }
}

function hasColors(stream: Sink | undefined): boolean {
  const sink = stream ?? ({ isTTY: false } as Sink);
  if (process.env['FORCE_COLOR'] !== undefined) return process.stderr.getColorDepth?.() > 2;
  return sink.isTTY === true && (typeof sink.getColorDepth !== 'function' || sink.getColorDepth() > 2);
}

function inspectOptionsFor(self: object, which: Which): { colors?: boolean } {
  const state = stateOf(self);
  const made = state.stream(which);
  if (made === undefined && process.env['FORCE_COLOR'] === undefined && !ops.isTerminal(which === 'stdout' ? 1 : 2)) return {};
  // A terminal's colours are known to the stream.
  const stream = made ?? (process[which] as Sink);
  const colors = state.colorMode === 'auto' ? hasColors(stream) : state.colorMode;
  const own = state.inspectOptions?.get(stream);
  if (own === undefined) return colors ? { colors: true } : {};
  own.colors ??= colors;
  return own;
}

function shown(self: object, which: Which, args: unknown[]): string {
  if (args.every((arg) => typeof arg !== 'object' && typeof arg !== 'function')) {
    // Primitives without a format: the same with and without colours, but for what `inspect` colours.
    const plain = typeof args[0] === 'string' && args.every((arg) => typeof arg === 'string');
    if (plain) return format(...args);
  }
  return formatWithOptions(inspectOptionsFor(self, which), ...args);
}

function publish(name: string, args: unknown[]): void {
  const { channel } = process.getBuiltinModule('node:diagnostics_channel');
  const subject = channel(`console.${name}`);
  if (subject.hasSubscribers) subject.publish(args);
}

function printer(name: string, which: Which): (this: object, ...args: unknown[]) => void {
  const print = function print(this: object, ...args: unknown[]): void {
    if (channels.areLoaded) publish(name, args);
    writeText(this, which, shown(this, which, args));
  };
  Object.defineProperty(print, 'name', { value: name });
  return print;
}

interface Self {
  log(...args: unknown[]): void;
  warn(...args: unknown[]): void;
  error(...args: unknown[]): void;
  _times: Map<string, bigint>;
}

function times(): typeof Table {
  return later<typeof import('./table.later.ts')>();
}

const methods = {
  log: printer('log', 'stdout'),
  info: printer('info', 'stdout'),
  debug: printer('debug', 'stdout'),
  warn: printer('warn', 'stderr'),
  error: printer('error', 'stderr'),
  dir(this: object, object: unknown, options?: object): void {
    writeText(this, 'stdout', inspect(object, { customInspect: false, ...inspectOptionsFor(this, 'stdout'), ...options }));
  },
  time(this: Self, label: unknown = 'default'): void {
    times().time(this._times, String(label));
  },
  timeEnd(this: Self, label: unknown = 'default'): void {
    times().timeLog(this, this._times, 'console.timeEnd()', String(label));
    this._times.delete(String(label));
  },
  timeLog(this: Self, label: unknown = 'default', ...data: unknown[]): void {
    times().timeLog(this, this._times, 'console.timeLog()', String(label), data);
  },
  trace(this: Self, ...args: unknown[]): void {
    const error = { name: 'Trace', message: shown(this, 'stderr', args), stack: '' };
    Error.captureStackTrace(error, methods.trace);
    const header = `Trace${error.message === '' ? '' : `: ${error.message}`}`;
    this.error(error.stack.startsWith('Trace') ? error.stack : `${header}\n${error.stack.replace(/^Error[^\n]*\n/, '')}`);
  },
  assert(this: Self, expression?: unknown, ...args: unknown[]): void {
    if (expression) return;
    const [first, ...rest] = args;
    if (typeof first === 'string') this.warn(`Assertion failed: ${first}`, ...rest);
    else this.warn('Assertion failed', ...args);
  },
  clear(this: object): void {
    const stream = stateOf(this).stream('stdout') ?? (process.stdout as Sink);
    if (stream.isTTY === true && process.env['TERM'] !== 'dumb') stream.write('\u001b[1;1H\u001b[0J');
  },
  count(this: Self, label: unknown = 'default'): void {
    const name = `${label as string}`;
    const { counts } = stateOf(this);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    this.log(`${name}: ${count}`);
  },
  countReset(this: object, label: unknown = 'default'): void {
    const { counts } = stateOf(this);
    if (!counts.delete(`${label as string}`)) process.emitWarning(`Count for '${label as string}' does not exist`);
  },
  group(this: Self, ...data: unknown[]): void {
    if (data.length > 0) this.log(...data);
    const state = stateOf(this);
    state.group += ' '.repeat(state.groupWidth);
  },
  groupEnd(this: object): void {
    const state = stateOf(this);
    state.group = state.group.slice(0, state.group.length - state.groupWidth);
  },
  table(this: Self, tabularData: unknown, properties?: readonly string[]): void {
    if (properties !== undefined) validateArray(properties, 'properties');
    if (tabularData === null || typeof tabularData !== 'object') {
      this.log(tabularData);
      return;
    }
    this.log(times().table(tabularData, properties, inspectOptionsFor(this, 'stdout')));
  },
};

interface ConsoleClass {
  new (options: ConsoleOptions | Sink, stderr?: Sink, ignoreErrors?: boolean): object;
  prototype: Record<string, (...args: unknown[]) => void>;
}

function inspectOptionsOf(options: ConsoleOptions, stderr: Sink): State['inspectOptions'] {
  const { inspectOptions } = options;
  if (inspectOptions === undefined) return undefined;
  validateObject(inspectOptions, 'options.inspectOptions');
  const map =
    inspectOptions instanceof Map
      ? (inspectOptions as Map<Sink, { colors?: boolean }>)
      : new Map<Sink, { colors?: boolean }>([
          [options.stdout, inspectOptions],
          [stderr, inspectOptions],
        ]);
  for (const one of map.values()) {
    if (one.colors !== undefined && options.colorMode !== undefined) {
      const message = 'Option "options.inspectOptions.color" cannot be used in combination with option "colorMode"';
      throw coded(TypeError, 'ERR_INCOMPATIBLE_OPTION_PAIR', message);
    }
  }
  return map;
}

function notWritable(name: string): Error {
  return coded(TypeError, 'ERR_CONSOLE_WRITABLE_STREAM', `Console expects a writable stream instance for ${name}`);
}

function bind(self: object, state: State): void {
  states.set(self, state);
  const bound = self as Record<string, unknown>;
  // Methods are the instance's own, bound, as they are passed on by themselves (`then(console.log)`).
  for (const name of Object.keys(Console.prototype)) {
    const method = (bound[name] as (...args: unknown[]) => void).bind(self);
    Object.defineProperty(method, 'name', { value: name });
    bound[name] = method;
  }
  const hidden = { writable: true, enumerable: false, configurable: true };
  Object.defineProperties(self, {
    _times: { ...hidden, value: new Map() },
    _ignoreErrors: { ...hidden, value: state.ignoreErrors },
    [Symbol.toStringTag]: { value: 'console', configurable: true },
  });
}

function construct(this: object, given: ConsoleOptions | Sink, second?: Sink, third?: boolean): object {
  if (new.target === undefined) return new Console(given, second, third);
  const options: ConsoleOptions =
    !given || typeof (given as Sink).write === 'function'
      ? {
          stdout: given as Sink,
          ...(second === undefined ? {} : { stderr: second }),
          ...(third === undefined ? {} : { ignoreErrors: third }),
        }
      : (given as ConsoleOptions);
  const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', groupIndentation = 2 } = options;
  if (!stdout || typeof stdout.write !== 'function') throw notWritable('stdout');
  if (!stderr || typeof stderr.write !== 'function') throw notWritable('stderr');
  validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  validateInteger(groupIndentation, 'groupIndentation', 0, INDENTATION_MAX);
  const streams = { stdout, stderr };
  bind(this, {
    stream: (which) => streams[which],
    ignoreErrors: Boolean(ignoreErrors),
    colorMode,
    groupWidth: groupIndentation,
    group: '',
    counts: new Map(),
    inspectOptions: inspectOptionsOf(options, stderr),
  });
  Object.defineProperties(this, {
    _stdout: { value: stdout, writable: true, configurable: true },
    _stderr: { value: stderr, writable: true, configurable: true },
  });
  return this;
}
Object.defineProperty(construct, 'name', { value: 'Console' });
Object.assign(construct.prototype as object, methods, { dirxml: methods.log, groupCollapsed: methods.group });
Object.defineProperty(construct, Symbol.hasInstance, {
  value: (instance: object | null | undefined) => typeof instance === 'object' && instance !== null && states.has(instance),
});
const Console = construct as unknown as ConsoleClass;

export function createGlobalConsole(): object {
  const self = {} as Record<string, unknown>;
  for (const name of Object.keys(Console.prototype)) self[name] = Console.prototype[name];
  bind(self, {
    stream: madeStream,
    ignoreErrors: true,
    colorMode: 'auto',
    groupWidth: 2,
    group: '',
    counts: new Map(),
    inspectOptions: undefined,
  });
  for (const which of ['stdout', 'stderr'] as const) {
    let own: Sink | undefined;
    Object.defineProperty(self, `_${which}`, {
      get: () => own ?? process[which],
      set(value: Sink) {
        own = value;
      },
      configurable: true,
    });
  }
  self['Console'] = Console;
  for (const name of ['profile', 'profileEnd', 'timeStamp', 'context']) self[name] = noop;
  self['createTask'] = () => ({ run: (task: () => unknown) => task() });
  return self;
}
