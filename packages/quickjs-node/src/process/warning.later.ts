/**
 * `process.emitWarning`: the `warning` event, and Node's text on standard error.
 */
import ops from 'fulmar:ops';
import { invalidArgType } from '../shared/errors.ts';
import { validateString } from '../shared/validators.ts';
import { hasNodeOption, nodeOption } from './node-options.later.ts';

interface Warning extends Error {
  code?: string;
  detail?: string;
}

interface WarningOptions {
  type?: string;
  code?: string;
  detail?: string;
  ctor?: (...args: never[]) => unknown;
}

/** Deprecations are told once for each code. */
const told = new Set<string>();
let hintedWarnings = false;
let hintedDeprecations = false;
let installed = false;

function silenced(): boolean {
  return process.env['NODE_NO_WARNINGS'] === '1' || hasNodeOption('--no-warnings') || hasNodeOption('--no-warning');
}

function flag(property: string, option: string): boolean {
  const own = (process as unknown as Record<string, unknown>)[property];
  return own === undefined ? hasNodeOption(option) : Boolean(own);
}

function disabled(warning: Warning): boolean {
  const names = (nodeOption('--disable-warning') ?? '').split(',');
  return (warning.code !== undefined && names.includes(warning.code)) || names.includes(warning.name);
}

function onWarning(warning: Warning): void {
  if (!(warning instanceof Error) || disabled(warning)) return;
  const deprecation = warning.name === 'DeprecationWarning';
  if (deprecation && flag('noDeprecation', '--no-deprecation')) return;
  const trace = flag('traceProcessWarnings', '--trace-warnings') || (deprecation && flag('traceDeprecation', '--trace-deprecation'));
  let text = `(${process.release.name}:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  if (trace && warning.stack) text += warning.stack;
  else text += typeof warning.toString === 'function' ? `${String(warning.toString())}` : String(Error.prototype.toString.call(warning));
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  if (!trace) text += hint(deprecation);
  ops.writeSync(2, `${text}\n`);
}

/** Said once. */
function hint(deprecation: boolean): string {
  if (deprecation ? hintedDeprecations : hintedWarnings) return '';
  if (deprecation) hintedDeprecations = true;
  else hintedWarnings = true;
  const option = deprecation ? '--trace-deprecation' : '--trace-warnings';
  return `\n(Use \`NODE_OPTIONS=${option}\` to show where the warning was created)`;
}

function makeWarning(warning: unknown, { type, code, ctor, detail }: WarningOptions): Warning {
  let made: Warning;
  if (typeof warning === 'string') {
    made = new Error(warning);
    made.name = type ?? 'Warning';
    if (code !== undefined) made.code = code;
    if (detail !== undefined) made.detail = detail;
    Error.captureStackTrace?.(made, ctor ?? emitWarning);
    return made;
  }
  if (!(warning instanceof Error)) throw invalidArgType('warning', ['Error', 'string'], warning);
  return warning;
}

/** `(warning, type, code, ctor)`, `(warning, options)` and the forms between. */
function readOptions(type: unknown, code: unknown, ctor: unknown): WarningOptions {
  const options: WarningOptions = {};
  if (typeof type === 'object' && type !== null && !Array.isArray(type)) {
    const given = type as Record<string, unknown>;
    options.ctor = given['ctor'] as never;
    if (given['code']) options.code = given['code'] as string;
    if (typeof given['detail'] === 'string') options.detail = given['detail'];
    options.type = (given['type'] as string | undefined) || 'Warning';
  } else if (typeof type === 'function') {
    options.ctor = type as never;
    options.type = 'Warning';
  } else if (type !== undefined) {
    validateString(type, 'type');
    options.type = type;
  }
  if (typeof code === 'function') options.ctor = code as never;
  else if (code !== undefined) {
    validateString(code, 'code');
    options.code = code;
  }
  if (typeof ctor === 'function') options.ctor = ctor as never;
  return options;
}

function emitWarning(warning: unknown, type?: unknown, code?: unknown, ctor?: unknown): void {
  if (type === 'DeprecationWarning' && flag('noDeprecation', '--no-deprecation')) return;
  const made = makeWarning(warning, readOptions(type, code, ctor));
  if (made.name === 'DeprecationWarning') {
    if (flag('noDeprecation', '--no-deprecation')) return;
    if (flag('throwDeprecation', '--throw-deprecation')) {
      process.nextTick(() => {
        throw made;
      });
      return;
    }
  }
  if (!installed) {
    installed = true;
    if (!silenced()) process.prependListener('warning', onWarning);
  }
  process.nextTick(() => process.emit('warning', made));
}

/** Tells of something deprecated once; for the host's own modules. */
export function deprecateOnce(code: string, message: string): void {
  if (told.has(code)) return;
  told.add(code);
  emitWarning(message, 'DeprecationWarning', code);
}

export const members = { emitWarning };
