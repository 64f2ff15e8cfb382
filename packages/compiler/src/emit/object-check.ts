/** The check of objects: members at a glance first, those that must be looked into behind them. */
import type { ObjectShape, Property, Shape } from '../../../fulmar/src/shape/shape.ts';
import type { Checks } from './checks.ts';
import { costOf, isRecursive, mayBeUndefined } from './cost.ts';
import { literal, memberOf } from './literals.ts';
import { Scope } from './module.ts';

export function checkObject(shape: ObjectShape, value: string, scope: Scope, checks: Checks): string {
  // What has no length is no array: the look-up is one with those of the members that follow, the question is not.
  const isNoArray = `(${value}.length === undefined || !Array.isArray(${value}))`;
  const tests = [`typeof ${value} === "object" && ${value} !== null && ${isNoArray}`];
  const isDeep = (property: Property): boolean => isRecursive(property.shape, checks.module);
  const ordered = [...shape.properties].sort(
    (one, other) => Number(isDeep(one)) - Number(isDeep(other)) || costOf(one.shape) - costOf(other.shape),
  );
  // Of two members of a union that contain it again, the wrong one is to be left before it is looked into: each
  // level would double the work.
  for (const { name, shape: inner, presence } of ordered.filter(isDeep)) {
    if (presence !== 'required' || inner.default !== undefined || mayBeUndefined(inner, checks.module.definitions)) continue;
    tests.push(`${memberOf(value, name, () => checks.module.helper('own'))} !== undefined`);
  }
  for (const property of ordered) {
    const test = checkProperty(property, value, scope, checks);
    if (test !== 'true') tests.push(test);
  }
  if (shape.index !== undefined || shape.unknown === 'reject') tests.push(`${membersCheck(shape, checks)}(${value}, d)`);
  return tests.join(' && ');
}

function checkProperty({ name, shape, presence }: Property, value: string, scope: Scope, checks: Checks): string {
  const member = memberOf(value, name, () => checks.module.helper('own'));
  const test = checks.read(shape, member, scope);
  const isFilled = checks.form === 'wire' && shape.default !== undefined;
  if (presence === 'optional' || isFilled) return test === 'true' ? test : `(${member} === undefined || ${test})`;
  if (presence === 'exact') return `(!${checks.module.helper('has')}(${value}, ${literal(name)}) || ${test})`;
  // What may be `undefined` and must be there is asked for by name, but for JSON, which has no `undefined`.
  if (!mayBeUndefined(shape, checks.module.definitions) || checks.form === 'wire') return test;
  return `${checks.module.helper('has')}(${value}, ${literal(name)})${test === 'true' ? '' : ` && ${test}`}`;
}

/** A function that looks at every own member: index signatures, and what is not known. */
function membersCheck(shape: ObjectShape, checks: Checks): string {
  return checks.module.function(`members ${checks.form}`, shape, (name) => {
    const scope = new Scope();
    const rules = (shape.index ?? []).map(({ key, value }) => {
      const fits = keyCheck(key, scope, checks);
      const test = checks.expression(value, 'x', scope);
      const wrong = `if (!(${test})) return false;`;
      return { always: fits === 'true', text: fits === 'true' ? wrong : `if (${fits}) { known = true; ${wrong} }` };
    });
    const isKnown = shape.properties.map((property) => property.name);
    const refuse = shape.unknown === 'reject' && !rules.some(({ always }) => always);
    const known = refuse
      ? `let known = ${isKnown.length === 0 ? 'false' : `${checks.module.constant(`new Set(${literal(isKnown)})`)}.has(k)`}; `
      : 'let known; ';
    const end = refuse ? ' if (!known) return false;' : '';
    return `function ${name}(v, d) { ${scope.declaration()}for (const k of Object.keys(v)) { ${known}const x = v[k]; ${rules.map(({ text }) => text).join(' ')}${end} } return true; }`;
  });
}

/** Names of members are texts: a number is one that is written as a number is. */
export function keyCheck(key: Shape, scope: Scope, checks: Checks): string {
  if (key.kind === 'number') return `${checks.module.helper('numberText')}(k)`;
  if (
    key.kind === 'string' &&
    key.patterns === undefined &&
    key.format === undefined &&
    key.minLength === undefined &&
    key.maxLength === undefined
  )
    return 'true';
  return checks.expression(key, 'k', scope);
}
