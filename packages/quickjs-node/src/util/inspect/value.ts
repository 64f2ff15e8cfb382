/**
 * `util.inspect`: any value as text.
 */
import ops from 'fulmar:ops';
import { type Context, createContext, type InspectOptions, optionsOf, type Style } from './context.ts';
import { type Described, described } from './described.ts';
import { assembled, type Entries } from './layout.ts';
import { constructorName, type Named, objectPrefix } from './names.ts';
import { recursion } from './recursion.ts';
import { escapedSymbol, quoted, shownPrimitive, widthOf } from './text.ts';

const custom = Symbol.for('nodejs.util.inspect.custom');
const IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
/** More text at one indentation ends the inspection. */
const TEXT_MAX = 2 ** 27;

/** What custom inspection functions get as `inspect`: the function of `node:util`. */
let publicInspect: unknown;

export function setPublic(inspectFunction: unknown): void {
  publicInspect = inspectFunction;
}

export type Options = Partial<InspectOptions> & { stylize?: Style };

export function inspect(value: unknown, options?: Options | boolean, depth?: number | null, colors?: boolean): string {
  const given: Options = typeof options === 'boolean' ? { showHidden: options } : { ...options };
  if (depth !== undefined) given.depth = depth;
  if (colors !== undefined) given.colors = colors;
  return formatValue(createContext(given), value, 0);
}

export function formatValue(context: Context, value: unknown, depth: number, typedArray = false): string {
  if (value === null) return context.stylize('null', 'null');
  if (typeof value !== 'object' && typeof value !== 'function') return shownPrimitive(context.stylize, value, context);
  const parts = ops.proxyParts(value);
  if (parts !== undefined) return proxyText(context, value, parts, depth);
  return customText(context, value, value, depth) ?? objectText(context, value, depth, typedArray);
}

function proxyText(context: Context, proxy: object, given: [object, object] | null, depth: number): string {
  const revoked = context.stylize('<Revoked Proxy>', 'special');
  if (context.showProxy) {
    if (given === null) return revoked;
    if (context.depth !== null && depth > context.depth) return context.stylize('Proxy [Array]', 'special');
    context.indentation += 2;
    const output = given.map((part) => formatValue(context, part, depth + 1));
    context.indentation -= 2;
    return assembled(context, output, { base: '', braces: ['Proxy [', ']'], entries: 'array-extras', depth: depth + 1 });
  }
  let layers = 0;
  let parts: [object, object] | null | undefined = given;
  let target: object | undefined;
  while (parts !== undefined && parts !== null) {
    [target] = parts;
    parts = ops.proxyParts(target);
    layers += 1;
  }
  let text: string;
  if (parts === null || target === undefined) {
    text = revoked;
  } else {
    const own = customText(context, target, proxy, depth);
    if (own !== undefined) return own;
    text = objectText(context, target, depth, false);
  }
  for (let layer = 0; layer < layers; layer += 1) {
    text = `${context.stylize('Proxy(', 'special')}${text}${context.stylize(')', 'special')}`;
  }
  return text;
}

/** What the object's own inspection function gives; undefined when it has none. */
function customText(context: Context, value: object, self: object, depth: number): string | undefined {
  if (!context.customInspect) return undefined;
  const own = (value as { [custom]?: unknown })[custom];
  if (typeof own !== 'function' || own === publicInspect) return undefined;
  const made = Object.getOwnPropertyDescriptor(value, 'constructor')?.value as { prototype?: unknown } | undefined;
  if (made?.prototype === value) return undefined;
  const left = context.depth === null ? null : context.depth - depth;
  const shown: unknown = own.call(self, left, optionsOf(context), publicInspect);
  if (shown === self) return undefined;
  if (typeof shown !== 'string') return formatValue(context, shown, depth);
  return shown.replaceAll('\n', `\n${' '.repeat(context.indentation)}`);
}

function objectText(context: Context, value: object, depth: number, typedArray: boolean): string {
  if (context.seen.includes(value)) {
    context.circular ??= new Map();
    let number = context.circular.get(value);
    if (number === undefined) {
      number = context.circular.size + 1;
      context.circular.set(value, number);
    }
    return context.stylize(`[Circular *${number}]`, 'special');
  }
  const within = context.depth === null || depth <= context.depth;
  const inherited: string[] | undefined = context.showHidden && within ? [] : undefined;
  const named: Named = { constructor: constructorName(value, context, depth, inherited), tag: tagOf(context, value) };
  const shape = described({ context, value, named, depth, typedArray, inherited: inherited !== undefined && inherited.length > 0 });
  if (typeof shape === 'string') return shape;
  if (!within) {
    const name = objectPrefix(value, named).slice(0, -1);
    return context.stylize(named.constructor === null ? name : `[${name}]`, 'special');
  }
  return entriesText(context, value, depth + 1, { ...shape, inherited: inherited ?? [] });
}

function tagOf(context: Context, value: object): string {
  let tag: unknown;
  try {
    tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  } catch {
    return '';
  }
  if (typeof tag !== 'string' || tag === '') return '';
  const own = context.showHidden
    ? Object.hasOwn(value, Symbol.toStringTag)
    : Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag);
  return own ? '' : tag;
}

function entriesText(context: Context, value: object, depth: number, shape: Described & { inherited: string[] }): string {
  context.seen.push(value);
  context.currentDepth = depth;
  const output = shape.inside(depth);
  for (const key of shape.extraKeys) output.push(extraText(context, value, depth, key, shape.typedArray));
  for (const key of shape.keys) output.push(formatProperty(context, value, depth, key, shape.entries));
  output.push(...shape.inherited);
  let { base } = shape;
  const number = context.circular?.get(value);
  if (number !== undefined) {
    const reference = context.stylize(`<ref *${number}>`, 'special');
    if (context.compact === true) shape.braces[0] = `${reference} ${shape.braces[0]}`;
    else base = base === '' ? reference : `${reference} ${base}`;
  }
  context.seen.pop();
  const text = assembled(context, sorted(context, output, shape), { base, braces: shape.braces, entries: shape.entries, depth, value });
  const total = (context.budget[context.indentation] ?? 0) + text.length;
  context.budget[context.indentation] = total;
  if (total > TEXT_MAX) context.depth = -1;
  return text;
}

function sorted(context: Context, output: string[], shape: Described): string[] {
  if (context.sorted === false) return output;
  const order = context.sorted === true ? undefined : context.sorted;
  if (shape.entries === 'object') return output.toSorted(order);
  const items = output.length - shape.keys.length;
  return [...output.slice(0, items), ...output.slice(items).toSorted(order)];
}

function extraText(context: Context, value: object, depth: number, key: string, typedArray: boolean): string {
  context.indentation += 2;
  const text = formatValue(context, (value as Record<string, unknown>)[key], depth, typedArray);
  context.indentation -= 2;
  return `${context.stylize(`[${key}]`, 'string')}: ${text}`;
}

function getterText(context: Context, descriptor: PropertyDescriptor, self: object, depth: number): string {
  const label = descriptor.set === undefined ? 'Getter' : 'Getter/Setter';
  const wanted = context.getters;
  const called =
    wanted === true || (wanted === 'get' && descriptor.set === undefined) || (wanted === 'set' && descriptor.set !== undefined);
  const special = (text: string): string => context.stylize(text, 'special');
  if (!called) return special(`[${label}]`);
  context.indentation += 2;
  let text: string;
  try {
    const result: unknown = descriptor.get?.call(self);
    if (result !== null && (typeof result === 'object' || typeof result === 'function')) {
      text = `${special(`[${label}]`)} ${formatValue(context, result, depth)}`;
    } else {
      const shown = result === null ? context.stylize('null', 'null') : shownPrimitive(context.stylize, result, context);
      text = `${special(`[${label}:`)} ${shown}${special(']')}`;
    }
  } catch (error) {
    text = `${special(`[${label}:`)} <Inspection threw (${formatValue(context, error, depth)})>${special(']')}`;
  }
  context.indentation -= 2;
  return text;
}

// oxlint-disable-next-line max-params -- Node's own
export function formatProperty(
  context: Context,
  value: object,
  depth: number,
  key: PropertyKey,
  entries: Entries,
  known?: PropertyDescriptor,
  self: object = value,
): string {
  const descriptor = known ?? Object.getOwnPropertyDescriptor(value, key) ?? { value: undefined, enumerable: true };
  let between = ' ';
  let text: string;
  if (descriptor.value !== undefined) {
    const more = context.compact !== true || entries !== 'object' ? 2 : 3;
    context.indentation += more;
    text = formatValue(context, descriptor.value, depth);
    if (more === 3 && context.breakLength < widthOf(text, context.colors)) between = `\n${' '.repeat(context.indentation)}`;
    context.indentation -= more;
  } else if (descriptor.get !== undefined) {
    text = getterText(context, descriptor, self, depth);
  } else {
    text = descriptor.set === undefined ? context.stylize('undefined', 'undefined') : context.stylize('[Setter]', 'special');
  }
  return entries === 'array' ? text : `${nameText(context, key, descriptor.enumerable === false)}:${between}${text}`;
}

function nameText(context: Context, key: PropertyKey, hidden: boolean): string {
  let name: string;
  if (typeof key === 'symbol') name = context.stylize(escapedSymbol(String(key)), 'symbol');
  else if (key === '__proto__') name = "['__proto__']";
  else if (IDENTIFIER.test(String(key))) name = context.stylize(String(key), 'name');
  else name = context.stylize(quoted(String(key)), 'string');
  return hidden ? `[${name}]` : name;
}

Object.assign(recursion, { value: formatValue, property: formatProperty, inspect });
