/**
 * Objects: properties, members by pattern, unknown members. What an object inherits from `Object.prototype`
 * is never taken for a member, and a member called `__proto__` is one like any other.
 */
import type { ObjectShape, Property, Shape } from '../shape.ts';
import { checkInOrder, checksInOrder, type Rest } from './check-members.ts';
import { convertObject } from './convert-object.ts';
import { isPlainObject, Kind, nameOfKind } from './kind.ts';
import { hasOwnAlone, isSentAsItIs, mayBeMissing, memberOf, type Members } from './members.ts';
import { Issues } from './report.ts';
import type { Compiling, Path, Report, Rule } from './rule-types.ts';

export interface CompiledProperty {
  readonly name: string;
  readonly rule: Rule;
  readonly presence: Property['presence'];
  /** Whether every object inherits something of that name. */
  readonly isInherited: boolean;
  readonly default: { readonly value: unknown } | undefined;
}

export interface CompiledIndex {
  readonly fits: (name: string) => boolean;
  readonly rule: Rule;
}

/** An object's shape with its parts compiled. */
export interface Compiled {
  readonly shape: ObjectShape;
  readonly properties: readonly CompiledProperty[];
  readonly known: ReadonlySet<string>;
  readonly index: readonly CompiledIndex[];
  /** For unknown members, where they have a shape. */
  readonly others: Rule | null;
  readonly names: Rule | null;
  readonly whenPresent: readonly { readonly name: string; readonly rule: Rule }[];
  readonly isReply: boolean;
  readonly isLenient: boolean;
}

export function objectRule(shape: ObjectShape, compiling: Compiling, defaultOf: (shape: Shape) => Shape['default']): Rule {
  const compiled = compile(shape, compiling, defaultOf);
  const rest: Rest = { check: restOf(compiled), isClosed: shape.unknown === 'reject' && isBare(compiled) };
  return {
    expected: 'object',
    kinds: Kind.OBJECT,
    check: checksInOrder(compiled) ? checkInOrder(compiled, rest) : checkEach(compiled, rest),
    explain: (value, path, report) => (isPlainObject(value) ? explain(compiled, value, path, report) : report.add(path, 'object', value)),
    convert: convertObject(compiled),
  };
}

function checkEach({ properties, isReply }: Compiled, rest: Rest): Rule['check'] {
  return (value) => {
    if (!isPlainObject(value) || (isReply && !isSentAsItIs(value))) return false;
    let present = 0;
    for (let at = 0; at < properties.length; at += 1) {
      const property = properties[at] as CompiledProperty;
      const member = memberOf(value, property);
      if (member === undefined ? !mayBeMissing(property, value) : !property.rule.check(member)) return false;
      if (member !== undefined) present += 1;
    }
    if (rest.check === null) return true;
    // As many names as members that are known: there is none that is not.
    return (rest.isClosed && Object.keys(value).length === present && hasOwnAlone(value)) || rest.check(value);
  };
}

function compile(shape: ObjectShape, { rule, mode, isLenient }: Compiling, defaultOf: (shape: Shape) => Shape['default']): Compiled {
  const properties = shape.properties.map((property): CompiledProperty => ({
    name: property.name,
    rule: rule(property.shape),
    presence: property.presence,
    isInherited: property.name in Object.prototype,
    default: defaultOf(property.shape),
  }));
  return {
    shape,
    properties,
    known: new Set(properties.map(({ name }) => name)),
    index: (shape.index ?? []).map(({ key, value }) => ({ fits: keyTest(key, rule), rule: rule(value) })),
    others: typeof shape.unknown === 'string' ? null : rule(shape.unknown),
    names: shape.names === undefined ? null : rule(shape.names),
    whenPresent: (shape.whenPresent ?? []).map((one) => ({ name: one.name, rule: rule(one.shape) })),
    isReply: mode === 'reply',
    isLenient,
  };
}

/** Names are texts: one that is a number is a number's name. */
function keyTest(key: Shape, rule: Compiling['rule']): (name: string) => boolean {
  const { check } = rule(key);
  return key.kind === 'number' ? (name) => String(Number(name)) === name && check(Number(name)) : check;
}

function hasRight(property: CompiledProperty, value: Members): boolean {
  const member = memberOf(value, property);
  return member === undefined ? mayBeMissing(property, value) : property.rule.check(member);
}

/** What is to be looked at beside properties; null where that is nothing. */
function restOf(compiled: Compiled): ((value: Members) => boolean) | null {
  const { shape, index, others, names } = compiled;
  const { minProperties = 0, maxProperties = Infinity, requires = [] } = shape;
  const looksAtNames = index.length > 0 || others !== null || names !== null || shape.unknown === 'reject';
  if (shape.unknown !== 'reject' && isBare(compiled)) return null;
  return (value) => {
    const keys = namesOf(value, compiled);
    if (keys.length < minProperties || keys.length > maxProperties) return false;
    if (looksAtNames) for (const name of keys) if (!isNameRight(compiled, name, value[name])) return false;
    for (const { name, others: needed } of requires)
      if (isPresent(value, name) && !needed.every((one) => isPresent(value, one))) return false;
    for (const { name, rule } of compiled.whenPresent) if (isPresent(value, name) && !rule.check(value)) return false;
    return true;
  };
}

/** Whether nothing but properties, and whether there may be others, is said. */
function isBare({ shape, index, others, names, whenPresent }: Compiled): boolean {
  const { minProperties = 0, maxProperties = Infinity, requires = [] } = shape;
  const looksAtNames = index.length > 0 || others !== null || names !== null;
  return !looksAtNames && minProperties === 0 && maxProperties === Infinity && requires.length === 0 && whenPresent.length === 0;
}

/** A member that is `undefined` is not sent. */
const namesOf = (value: Members, { isReply }: Compiled): string[] =>
  isReply ? Object.keys(value).filter((name) => value[name] !== undefined) : Object.keys(value);

const isPresent = (value: Members, name: string): boolean => Object.hasOwn(value, name) && value[name] !== undefined;

function isNameRight({ shape, known, index, others, names }: Compiled, name: string, member: unknown): boolean {
  if (names !== null && !names.check(name)) return false;
  let isKnown = known.has(name);
  for (const { fits, rule } of index) {
    if (!fits(name)) continue;
    if (!rule.check(member)) return false;
    isKnown = true;
  }
  if (isKnown) return true;
  return others === null ? shape.unknown !== 'reject' : others.check(member);
}

const members = (count: number): string => `${count} member${count === 1 ? '' : 's'}`;

function explain(compiled: Compiled, value: Members, path: Path, report: Report): void {
  const { shape, properties } = compiled;
  for (const property of properties) {
    if (report.isFull) return;
    if (hasRight(property, value)) continue;
    const at = [...path, property.name];
    const member = memberOf(value, property);
    if (member === undefined) report.add(at, property.rule.expected, member);
    else property.rule.explain(member, at, report);
  }
  const { minProperties = 0, maxProperties = Infinity, requires = [] } = shape;
  const keys = namesOf(value, compiled);
  const received = `object of ${members(keys.length)}`;
  if (keys.length < minProperties) report.add(path, `object of at least ${members(minProperties)}`, value, received);
  if (keys.length > maxProperties) report.add(path, `object of at most ${members(maxProperties)}`, value, received);
  for (const name of keys) explainName(compiled, name, { member: value[name], path: [...path, name], report });
  for (const { name, others } of requires) {
    for (const one of isPresent(value, name) ? others : [])
      if (!isPresent(value, one)) report.add([...path, one], `a member beside ${name}`, undefined);
  }
  for (const { name, rule } of compiled.whenPresent) if (isPresent(value, name) && !rule.check(value)) rule.explain(value, path, report);
  // What only a reply's form has against it: a class, or `toJSON`.
  if (compiled.isReply && !isSentAsItIs(value)) report.add(path, 'plain object', value, nameOfKind(value));
}

interface Member {
  readonly member: unknown;
  readonly path: Path;
  readonly report: Report;
}

function explainName({ shape, known, index, others, names }: Compiled, name: string, { member, path, report }: Member): void {
  if (report.isFull) return;
  if (names !== null && !names.check(name)) explainNameItself(names, name, path, report);
  let isKnown = known.has(name);
  for (const { fits, rule } of index) {
    if (!fits(name)) continue;
    if (!rule.check(member)) rule.explain(member, path, report);
    isKnown = true;
  }
  if (isKnown) return;
  if (others !== null && !others.check(member)) others.explain(member, path, report);
  if (others === null && shape.unknown === 'reject') report.add(path, 'no member of this name', member);
}

/** What is wrong with a name is not wrong with its member. */
function explainNameItself(names: Rule, name: string, path: Path, report: Report): void {
  const found = new Issues();
  names.explain(name, [], found);
  for (const { expected, received } of found.all) report.add(path, `a name that is ${expected}`, name, received);
}
