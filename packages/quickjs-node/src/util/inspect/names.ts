/**
 * The words in front of an object: its class, its tag, what it was made from.
 */
import type { Context } from './context.ts';
import { recursion } from './recursion.ts';

let builtIns: Set<string> | undefined;

/** Names of the constructors that the engine itself has. */
export function isBuiltInName(name: string): boolean {
  builtIns ??= new Set(Object.getOwnPropertyNames(globalThis).filter((known) => /^[A-Z][a-zA-Z0-9]+$/.test(known)));
  return builtIns.has(name);
}

function isInstance(value: unknown, constructor: unknown): boolean {
  try {
    return value instanceof (constructor as new () => unknown);
  } catch {
    return false;
  }
}

/** What `Object.prototype.toString` says. */
function internalName(value: object): string {
  const { constructor } = value as { constructor?: { name?: unknown } };
  if (typeof constructor?.name === 'string' && constructor.name !== '') return constructor.name;
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/**
 * The name of the class of `value`; null when it has no prototype. Properties of prototypes are added to
 * `inherited`.
 */
export function constructorName(value: object, context: Context, depth: number, inherited?: string[]): string | null {
  let first: object | null | undefined;
  for (let object: object | null = value; object !== null; object = Object.getPrototypeOf(object) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
    const made = descriptor?.value as { name?: unknown } | undefined;
    if (typeof made === 'function' && (made as { name: string }).name !== '' && isInstance(value, made)) {
      const name = String((made as { name: unknown }).name);
      if (inherited !== undefined && (first !== object || !isBuiltInName(name))) {
        addInherited(context, value, first ?? value, depth, inherited);
      }
      return name;
    }
    if (first === undefined) first = Object.getPrototypeOf(object) as object | null;
  }
  if (first === null || first === undefined) return null;
  const own = internalName(value);
  if (context.depth !== null && depth > context.depth) return `${own} <Complex prototype>`;
  const above = constructorName(first, context, depth + 1, inherited);
  if (above !== null) return `${own} <${above}>`;
  return `${own} <${recursion.inspect(first, { ...context, customInspect: false, depth: -1 })}>`;
}

/** Up to three layers of prototypes are shown with `showHidden`. */
const LAYERS_MAX = 3;

function addInherited(context: Context, main: object, start: object, depth: number, output: string[]): void {
  let object: object | null = start;
  const known = new Set<PropertyKey>();
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    if (layer !== 0 || main === object) {
      object = Object.getPrototypeOf(object) as object | null;
      if (object === null) return;
      const made: unknown = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
      if (typeof made === 'function' && isBuiltInName(made.name)) return;
    }
    const keys = Reflect.ownKeys(object);
    context.seen.push(main);
    for (const key of keys) {
      if (key === 'constructor' || Object.hasOwn(main, key) || (layer !== 0 && known.has(key))) continue;
      const descriptor = Object.getOwnPropertyDescriptor(object, key) as PropertyDescriptor;
      if (typeof descriptor.value === 'function') continue;
      const text = recursion.property(context, object, depth, key, 'object', descriptor, main);
      output.push(context.colors ? `\u001b[2m${text}\u001b[22m` : text);
    }
    context.seen.pop();
    for (const key of keys) known.add(key);
  }
}

export interface Named {
  constructor: string | null;
  tag: string;
}

/** `Map(2) `, `[Object: null prototype] `, `Foo [bar] ` */
export function prefixOf({ constructor, tag }: Named, fallback: string, size = ''): string {
  if (constructor === null) {
    const more = tag !== '' && fallback !== tag ? `[${tag}] ` : '';
    return `[${fallback}${size}: null prototype] ${more}`;
  }
  if (tag === '') return `${constructor}${size} `;
  const dot = tag.lastIndexOf('.');
  return constructor === (dot >= 1 ? tag.slice(dot + 1) : tag) ? `${tag}${size} ` : `${constructor}${size} [${tag}] `;
}

export function objectPrefix(value: object, named: Named): string {
  if (named.constructor !== null) return prefixOf(named, '');
  const name = internalName(value);
  return prefixOf(named, name === named.tag ? 'Object' : name);
}
