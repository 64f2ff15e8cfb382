/**
 * What is handed on instead of an object: with defaults and converted members, without unknown ones where
 * they are to be left out. The object itself is never changed; one whose members all stay is handed on.
 */
import { dateJsonText } from '../iso-text.ts';
import { copyOf, setMember } from './copy.ts';
import { isPlainObject } from './kind.ts';
import type { Compiled, CompiledProperty } from './objects.ts';
import type { Rule } from './rule-types.ts';

export function convertObject(compiled: Compiled): Rule['convert'] {
  const { shape, properties, index, others, whenPresent, isReply, isLenient } = compiled;
  const changed = properties.filter((property) => property.rule.convert !== null || property.default !== undefined);
  const isStripped = shape.unknown === 'strip' || (isLenient && shape.unknown === 'reject');
  const changesOthers = isStripped || others?.convert != null || index.some(({ rule }) => rule.convert !== null);
  const changesAll = whenPresent.some(({ rule }) => rule.convert !== null);
  if (changed.length === 0 && !changesOthers && !changesAll && !isReply) return null;
  if (isStripped && index.length === 0 && others === null && !changesAll) return stripped(compiled);
  return (given) => {
    const value = isReply ? asJson(given) : given;
    if (!isPlainObject(value)) return value;
    const draft = new Draft(value);
    // What a class has for its objects is not sent.
    const isOwn = !isReply || Object.getPrototypeOf(value) === Object.prototype;
    for (let at = 0; at < changed.length; at += 1) convertProperty(changed[at] as CompiledProperty, { value, draft, isOwn });
    if (changesOthers) for (const name of Object.keys(value)) convertOther(compiled, { name, value, draft, isStripped });
    let made: unknown = draft.made ?? (isOwn ? value : { ...value });
    for (const { name, rule } of whenPresent) if (Object.hasOwn(value, name) && rule.convert !== null) made = rule.convert(made);
    return made;
  };
}

/**
 * Where nothing but properties is known, and the rest left out: one that is made anew of what stays is as fast for
 * `JSON.stringify` as it was, and one whose members are deleted is not.
 */
function stripped({ properties, isReply }: Compiled): Rule['convert'] {
  const byName = new Map(properties.map((property) => [property.name, property]));
  const withDefaults = properties.filter((property) => property.default !== undefined);
  return (given) => {
    const value = isReply ? asJson(given) : given;
    if (!isPlainObject(value)) return value;
    const made: Record<string, unknown> = {};
    let isChanged = isReply && Object.getPrototypeOf(value) !== Object.prototype;
    let next = 0;
    for (const name of Object.keys(value)) {
      // Mostly in the order of the schema: then no name is looked up.
      const property = properties[next]?.name === name ? properties[next] : byName.get(name);
      if (property === undefined) {
        isChanged = true;
        continue;
      }
      next += 1;
      const before = value[name];
      const { convert } = property.rule;
      const after = convert === null || before === undefined ? before : convert(before);
      isChanged ||= after !== before;
      setMember(made, name, after);
    }
    for (const { name, default: usual } of withDefaults) {
      if (Object.hasOwn(made, name) && made[name] !== undefined) continue;
      setMember(made, name, copyOf(usual?.value));
      isChanged = true;
    }
    return isChanged ? made : value;
  };
}

/** An object's form in JSON, where it says one itself. */
export function asJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const text = dateJsonText(value);
  if (text !== undefined) return text;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON as (key: string) => unknown).call(value, '') : value;
}

/** A copy that is made when the first member differs. */
class Draft {
  readonly #of: Record<string, unknown>;
  made: Record<string, unknown> | null = null;

  constructor(of: Record<string, unknown>) {
    this.#of = of;
  }

  set(name: string, value: unknown): void {
    setMember((this.made ??= { ...this.#of }), name, value);
  }

  remove(name: string): void {
    delete (this.made ??= { ...this.#of })[name];
  }
}

interface Converting {
  readonly value: Record<string, unknown>;
  readonly draft: Draft;
  /** Whether all that is read of the value is its own, but for what every object inherits. */
  readonly isOwn: boolean;
}

function convertProperty({ name, rule, default: given, isInherited }: CompiledProperty, { value, draft, isOwn }: Converting): void {
  const before = (isInherited || !isOwn) && !Object.hasOwn(value, name) ? undefined : value[name];
  if (before === undefined) {
    if (given !== undefined) draft.set(name, copyOf(given.value));
    return;
  }
  const after = rule.convert === null ? before : rule.convert(before);
  if (after !== before) draft.set(name, after);
}

interface Other {
  readonly name: string;
  readonly value: Record<string, unknown>;
  readonly draft: Draft;
  readonly isStripped: boolean;
}

function convertOther({ known, index, others }: Compiled, { name, value, draft, isStripped }: Other): void {
  const rules = index.filter(({ fits }) => fits(name)).map(({ rule }) => rule);
  if (rules.length === 0 && !known.has(name)) {
    if (isStripped) return draft.remove(name);
    if (others !== null) rules.push(others);
  }
  for (const { convert } of rules) {
    if (convert === null) continue;
    const before = (draft.made ?? value)[name];
    const after = convert(before);
    if (after !== before) draft.set(name, after);
  }
}
