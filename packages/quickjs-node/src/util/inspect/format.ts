/**
 * `util.format`: text with placeholders.
 */
import ops from 'fulmar:ops';
import { validateObject } from '../../shared/validators.ts';
import { defaults, type InspectOptions, plain } from './context.ts';
import { isBuiltInName } from './names.ts';
import { shownBigInt, shownNumber } from './text.ts';
import { inspect } from './value.ts';

type Options = Partial<InspectOptions> | undefined;

/** Whether text made of the object would only say `[object Object]`. */
function hasBuiltInText(value: object): boolean {
  const parts = ops.proxyParts(value);
  if (parts === null) return true;
  if (parts !== undefined) return hasBuiltInText(parts[0]);
  const holder = value as { toString?: unknown; [Symbol.toPrimitive]?: unknown };
  const hasText = typeof holder.toString === 'function';
  const hasPrimitive = typeof holder[Symbol.toPrimitive] === 'function';
  if (!hasText && !hasPrimitive) return true;
  const keys: PropertyKey[] = [...(hasText ? ['toString'] : []), ...(hasPrimitive ? [Symbol.toPrimitive] : [])];
  const owns = (object: object): boolean => keys.some((key) => Object.hasOwn(object, key));
  if (owns(value)) return false;
  let pointer: object = value;
  do pointer = Object.getPrototypeOf(pointer) as object;
  while (!owns(pointer));
  const made: unknown = Object.getOwnPropertyDescriptor(pointer, 'constructor')?.value;
  return typeof made === 'function' && isBuiltInName(made.name);
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError && error.message.includes('circular')) return '[Circular]';
    throw error;
  }
}

function number(value: number, options: Options): string {
  return shownNumber(plain, value, options?.numericSeparator ?? defaults.numericSeparator);
}

function numeric(value: unknown, options: Options, parse: (value: unknown) => number): string {
  if (typeof value === 'bigint') return shownBigInt(plain, value, options?.numericSeparator ?? defaults.numericSeparator);
  return typeof value === 'symbol' ? 'NaN' : number(parse(value), options);
}

function text(value: unknown, options: Options): string {
  if (typeof value === 'number') return number(value, options);
  if (typeof value === 'bigint') return numeric(value, options, Number);
  if (typeof value !== 'object' || value === null || !hasBuiltInText(value)) return String(value);
  return inspect(value, { ...options, compact: 3, colors: false, depth: 0 });
}

function replaced(kind: string, value: unknown, options: Options): string | undefined {
  switch (kind) {
    case 's':
      return text(value, options);
    case 'j':
      return String(json(value));
    case 'd':
      return numeric(value, options, Number);
    case 'i':
      return numeric(value, options, (given) => Number.parseInt(given as string, undefined));
    case 'f':
      return typeof value === 'symbol' ? 'NaN' : number(Number.parseFloat(value as string), options);
    case 'O':
      return inspect(value, options);
    case 'o':
      return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case 'c':
      return '';
    default:
      return undefined;
  }
}

export function formatAll(options: Options, args: readonly unknown[]): string {
  const [first] = args;
  let used = 0;
  let output = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    used = 1;
    output = first.replace(/%([sdifjoOc%])/g, (placeholder, kind: string) => {
      if (kind === '%') return '%';
      if (used >= args.length) return placeholder;
      used += 1;
      return replaced(kind, args[used - 1], options) ?? placeholder;
    });
  }
  for (let index = used; index < args.length; index += 1) {
    const value = args[index];
    output += `${index > 0 ? ' ' : ''}${typeof value === 'string' ? value : inspect(value, options)}`;
  }
  return output;
}

export function formatWithOptions(inspectOptions: Options, ...args: unknown[]): string {
  validateObject(inspectOptions, 'inspectOptions', { allowArray: true });
  return formatAll(inspectOptions, args);
}
