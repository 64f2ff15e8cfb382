/**
 * Functions, classes and boxed primitives.
 */
import types from '../types.module.ts';
import { type Context, plain } from './context.ts';
import type { Named } from './names.ts';
import { shownPrimitive } from './text.ts';
import { recursion } from './recursion.ts';

const CLASS_START = /^(\s+[^(]*?)\s*\{/;
const COMMENTS = /(\/\/.*?\n)|(\/\*(.|\n)*?\*\/)/g;

function isClass(text: string): boolean {
  if (!text.startsWith('class') || !text.endsWith('}')) return false;
  const rest = text.slice(5, -1);
  const brace = rest.indexOf('{');
  if (brace === -1) return false;
  return !rest.slice(0, brace).includes('(') || CLASS_START.test(rest.replace(COMMENTS, ''));
}

function classText(value: { name: string }, { constructor, tag }: Named): string {
  let text = `class ${(Object.hasOwn(value, 'name') && value.name) || '(anonymous)'}`;
  if (constructor !== 'Function' && constructor !== null) text += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) text += ` [${tag}]`;
  if (constructor === null) {
    text += ' extends [null prototype]';
  } else {
    const { name } = Object.getPrototypeOf(value) as { name: string };
    if (name) text += ` extends ${name}`;
  }
  return `[${text}]`;
}

export function functionText(context: Context, value: { name: unknown }, named: Named): string {
  const { constructor, tag } = named;
  if (isClass(Function.prototype.toString.call(value))) return classText(value as { name: string }, named);
  const kind = `${types['isAsyncFunction']?.(value) === true ? 'Async' : ''}${types['isGeneratorFunction']?.(value) === true ? 'Generator' : ''}Function`;
  let text = `[${kind}${constructor === null ? ' (null prototype)' : ''}`;
  if (value.name === '') text += ' (anonymous)';
  else text += `: ${typeof value.name === 'string' ? value.name : recursion.value(context, value.name, 0)}`;
  text += ']';
  if (constructor !== kind && constructor !== null) text += ` ${constructor}`;
  if (tag !== '' && constructor !== tag) text += ` [${tag}]`;
  return text;
}

/** The class of a boxed primitive; undefined for other objects. */
export function boxedKind(value: object): string | undefined {
  if (types['isNumberObject']?.(value) === true) return 'Number';
  if (types['isStringObject']?.(value) === true) return 'String';
  if (types['isBooleanObject']?.(value) === true) return 'Boolean';
  if (types['isBigIntObject']?.(value) === true) return 'BigInt';
  return types['isSymbolObject']?.(value) === true ? 'Symbol' : undefined;
}

const unboxed: Readonly<Record<string, (value: object) => unknown>> = {
  Number: (value) => Number.prototype.valueOf.call(value),
  String: (value) => String.prototype.valueOf.call(value),
  Boolean: (value) => Boolean.prototype.valueOf.call(value),
  BigInt: (value) => BigInt.prototype.valueOf.call(value as never),
  Symbol: (value) => Symbol.prototype.valueOf.call(value as never),
};

export function boxedText(context: Context, value: object, kind: string, keys: PropertyKey[], { constructor, tag }: Named): string {
  // The characters of a string are its own properties: they say nothing more.
  if (kind === 'String') keys.splice(0, (value as { length: number }).length);
  let text = `[${kind}`;
  if (kind !== constructor) text += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  text += `: ${shownPrimitive(plain, unboxed[kind]?.(value), context)}]`;
  if (tag !== '' && tag !== constructor) text += ` [${tag}]`;
  return keys.length !== 0 || context.stylize === plain ? text : context.stylize(text, kind.toLowerCase());
}
