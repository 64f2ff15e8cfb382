/**
 * What is inside arrays, maps, sets, buffers and promises.
 */
import ops from 'fulmar:ops';
import type { Context } from './context.ts';
import { shownBigInt, shownNumber } from './text.ts';
import { recursion } from './recursion.ts';

const INDEX = /^(0|[1-9][0-9]*)$/;
const INDEX_MAX = 2 ** 32 - 2;

function more(count: number): string {
  return `... ${count} more item${count > 1 ? 's' : ''}`;
}

function empty(context: Context, count: number): string {
  return context.stylize(`<${count} empty item${count > 1 ? 's' : ''}>`, 'undefined');
}

export function arrayEntries(context: Context, value: readonly unknown[], depth: number): string[] {
  const max = Math.min(Math.max(0, context.maxArrayLength), value.length);
  const output: string[] = [];
  for (let index = 0; index < max; index += 1) {
    const descriptor = Object.getOwnPropertyDescriptor(value, index);
    if (descriptor === undefined) return sparseEntries(context, value, depth, max, output);
    output.push(recursion.property(context, value, depth, String(index), 'array', descriptor));
  }
  if (value.length > max) output.push(more(value.length - max));
  return output;
}

/** Goes on after the entries that are there, with the gaps as entries. */
function sparseEntries(context: Context, value: readonly unknown[], depth: number, max: number, output: string[]): string[] {
  let index = output.length;
  for (const key of Object.keys(value).slice(index)) {
    if (output.length >= max || !INDEX.test(key) || Number(key) > INDEX_MAX) break;
    const gap = Number(key) - index;
    if (gap > 0) {
      output.push(empty(context, gap));
      index = Number(key);
      if (output.length === max) break;
    }
    output.push(recursion.property(context, value, depth, key, 'array'));
    index += 1;
  }
  const rest = value.length - index;
  if (rest > 0) output.push(output.length === max ? more(rest) : empty(context, rest));
  return output;
}

export function typedArrayEntries(context: Context, value: ArrayLike<number | bigint>): string[] {
  const max = Math.min(Math.max(0, context.maxArrayLength), value.length);
  const output: string[] = [];
  for (let index = 0; index < max; index += 1) {
    const item = value[index];
    output.push(
      typeof item === 'bigint'
        ? shownBigInt(context.stylize, item, context.numericSeparator)
        : shownNumber(context.stylize, item as number, context.numericSeparator),
    );
  }
  if (value.length > max) output.push(more(value.length - max));
  return output;
}

function iterated(context: Context, size: number, items: Iterable<unknown>, show: (item: unknown) => string): string[] {
  const max = Math.min(Math.max(0, context.maxArrayLength), size);
  const output: string[] = [];
  context.indentation += 2;
  for (const item of items) {
    if (output.length >= max) break;
    output.push(show(item));
  }
  context.indentation -= 2;
  if (size > max) output.push(more(size - max));
  return output;
}

export function setEntries(context: Context, value: Set<unknown>, depth: number): string[] {
  return iterated(context, value.size, Set.prototype.values.call(value), (item) => recursion.value(context, item, depth));
}

export function mapEntries(context: Context, value: Map<unknown, unknown>, depth: number): string[] {
  return iterated(context, value.size, Map.prototype.entries.call(value), (item) => {
    const [key, held] = item as [unknown, unknown];
    return `${recursion.value(context, key, depth)} => ${recursion.value(context, held, depth)}`;
  });
}

export function unknownEntries(context: Context): string[] {
  return [context.stylize('<items unknown>', 'special')];
}

export function arrayBufferEntries(context: Context, value: ArrayBufferLike): string[] {
  const max = Math.min(context.maxArrayLength, value.byteLength);
  const bytes = Array.from(new Uint8Array(value, 0, max), (byte) => byte.toString(16).padStart(2, '0'));
  const rest = value.byteLength - context.maxArrayLength;
  const text = rest > 0 ? `${bytes.join(' ')} ... ${rest} more byte${rest > 1 ? 's' : ''}` : bytes.join(' ');
  return [`${context.stylize('[Uint8Contents]', 'special')}: <${text}>`];
}

export function promiseEntries(context: Context, value: Promise<unknown>, depth: number): string[] {
  const [state, result] = ops.promiseState(value) ?? [0, undefined];
  if (state === 0) return [context.stylize('<pending>', 'special')];
  context.indentation += 2;
  const text = recursion.value(context, result, depth);
  context.indentation -= 2;
  return [state === 2 ? `${context.stylize('<rejected>', 'special')} ${text}` : text];
}
