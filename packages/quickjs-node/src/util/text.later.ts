/**
 * Members of `util` that few programs use: coloured text, `.env` files, call sites, differences, waiting,
 * throttling.
 */
import { type Change, differences } from '../assert/diff.ts';
import { invalidArgType, invalidArgValue, unsupported } from '../shared/errors.ts';
import { colors } from './inspect/context.ts';
import {
  validateAbortSignal,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateNumber,
  validateObject,
  validateOneOf,
  validateString,
} from '../shared/validators.ts';

const HEX = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

interface StyleOptions {
  readonly validateStream?: boolean;
  readonly stream?: { isTTY?: boolean; write?: unknown; getColorDepth?(): number };
}

interface Style {
  open: string;
  close: string;
  /** Bold and dim end with the same code: the inner one's end must not end the outer one. */
  keep: boolean;
}

function styleOf(name: string): Style {
  if (typeof name === 'string' && name.startsWith('#')) {
    if (!HEX.test(name)) throw invalidArgValue('format', name, 'must be a valid hex color (#RGB or #RRGGBB)');
    const digits = name.length === 4 ? Array.from(name.slice(1), (digit) => digit + digit) : (name.slice(1).match(/../g) ?? []);
    const parts = digits.map((two) => Number.parseInt(two, 16));
    return { open: `\u001b[38;2;${parts.join(';')}m`, close: '\u001b[39m', keep: false };
  }
  const codes = colors[name];
  if (codes === undefined) validateOneOf(name, 'format', Object.getOwnPropertyNames(colors));
  const [open, close] = codes as [number, number];
  return { open: `\u001b[${open}m`, close: `\u001b[${close}m`, keep: open === 1 || open === 2 };
}

/** An end within the text is followed by the style again. */
function continued(text: string, { open, close, keep }: Style): string {
  const inner = text.endsWith(close) ? text.slice(0, -close.length) : text;
  return inner.replaceAll(close, keep ? close + open : open) + text.slice(inner.length);
}

export function styleText(format: string | readonly string[], text: string, options?: StyleOptions): string {
  const validate = options?.validateStream ?? true;
  validateString(text, 'text');
  if (options !== undefined) validateObject(options, 'options');
  validateBoolean(validate, 'options.validateStream');
  let colored = true;
  if (validate) {
    const stream = options?.stream ?? process.stdout;
    if (stream === null || typeof stream !== 'object' || typeof stream.write !== 'function') {
      throw invalidArgType('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
    }
    colored = process.env['FORCE_COLOR'] !== undefined || (stream.isTTY === true && (stream.getColorDepth?.() ?? 4) > 2);
  }
  let [opening, closing, content] = ['', '', text];
  for (const name of Array.isArray(format) ? (format as readonly string[]) : [format as string]) {
    if (name === 'none') continue;
    const style = styleOf(name);
    opening += style.open;
    closing = style.close + closing;
    content = continued(content, style);
  }
  return colored ? opening + content + closing : text;
}

const ENV_LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"((?:[^"])*)"|'([^']*)'|`([^`]*)`|([^\n#]*))?[ \t]*(?:#[^\n]*)?$/gm;

export function parseEnv(content: string): Record<string, string> {
  validateString(content, 'content');
  const result: Record<string, string> = {};
  for (const match of content.replace(/\r\n?/g, '\n').matchAll(ENV_LINE)) {
    const [, name, double, single, back, plain] = match;
    result[name as string] = double?.replaceAll('\\n', '\n') ?? single ?? back ?? (plain ?? '').trim();
  }
  return result;
}

interface CallSite {
  functionName: string;
  scriptId: string;
  scriptName: string;
  lineNumber: number;
  columnNumber: number;
  column: number;
}

const FRAME = /^\s*at (?:(.*?) \()?(.*?)(?::(\d+))?(?::(\d+))?\)?$/;

export function getCallSites(frameCount: number | object = 10, options?: object): CallSite[] {
  const given = typeof frameCount === 'object' ? frameCount : options;
  if (given !== undefined) validateObject(given, 'options');
  const count = typeof frameCount === 'object' ? 10 : frameCount;
  validateInteger(count, 'frameCount', 1, 200);
  const holder = { stack: '' };
  Error.captureStackTrace(holder, getCallSites);
  const sites = holder.stack.split('\n').flatMap((line) => {
    const match = FRAME.exec(line);
    if (match === null) return [];
    const [, name = '', script = '', at = '0', column = '0'] = match;
    return [
      {
        functionName: name,
        scriptId: '0',
        scriptName: script,
        lineNumber: Number(at),
        columnNumber: Number(column),
        column: Number(column),
      },
    ];
  });
  return sites.slice(0, count);
}

const KINDS = { '+': 1, '-': -1, ' ': 0 } as const;

/** `[[0, same], [1, only in actual], [-1, only in expected]]` */
export function diff(actual: string | readonly string[], expected: string | readonly string[]): [number, string][] {
  if (actual === expected) return [];
  const listed = (value: unknown, name: string): string[] => {
    if (typeof value === 'string') return [...value];
    if (Array.isArray(value)) {
      value.forEach((item, index) => validateString(item, `${name}[${index}]`));
      return value as string[];
    }
    throw invalidArgType(name, 'string', value);
  };
  const changes: Change[] = differences(listed(actual, 'actual'), listed(expected, 'expected'), false);
  return changes.map(([kind, value]) => [KINDS[kind], value]);
}

/** Resolves when the signal is aborted; `resource` being collected does not end the wait. */
export async function aborted(signal: AbortSignal, resource: object): Promise<unknown> {
  if (signal === undefined) throw invalidArgType('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', { allowArray: true, allowFunction: true });
  if (signal.aborted) return undefined;
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function checkDelay(fn: unknown, wait: unknown): void {
  validateFunction(fn, 'fn');
  validateNumber(wait, 'wait', 0);
}

export function debounce(fn: unknown, wait: unknown): never {
  checkDelay(fn, wait);
  throw unsupported('util.debounce()', 'use the npm package lodash');
}

export function throttle(fn: unknown, wait: unknown): never {
  checkDelay(fn, wait);
  throw unsupported('util.throttle()', 'use the npm package lodash');
}
