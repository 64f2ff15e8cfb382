/**
 * Functions of Python as signatures of TypeScript. Arguments by name are the last one, `kwargs({ … })`: an overload each
 * for all arguments by place, and for those that may be given by name behind those that have to be there. Pure.
 */
import type { Annotations } from './annotations.ts';
import type { FunctionDeclaration, Parameter } from './python-module.ts';
import { lastOf } from './scope.ts';

/** With more that may be left out, not every number of them by place has an overload. */
const OVERLOADS_MAX = 4;

/** What a parameter cannot be called. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in ' +
    'instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** Lists of parameters, one for each way to call it. `isMethod`: the first is the object or class itself. */
export function parameterLists(parameters: readonly Parameter[], annotations: Annotations, isMethod: boolean): string[] {
  const own = isMethod ? withoutSelf(parameters) : parameters;
  const placed = own.filter(({ kind }) => kind === 'positional' || kind === 'any');
  const named = own.filter(({ kind }) => kind === 'named');
  const rest = own.find(({ kind }) => kind === 'rest');
  const namedRest = own.find(({ kind }) => kind === 'named rest');
  const required = placed.filter(({ isOptional }) => !isOptional).length;
  const typed = ({ name, annotation, isOptional }: Parameter): string =>
    `${safe(name)}${isOptional ? '?' : ''}: ${annotations.typeOf(annotation, 'in')}`;
  const lists: string[] = [];
  if (named.every(({ isOptional }) => isOptional)) {
    const more = rest === undefined ? [] : [`...${safe(rest.name)}: readonly (${annotations.typeOf(rest.annotation, 'in')})[]`];
    lists.push([...placed.map(typed), ...more].join(', '));
  }
  for (const count of countsByPlace(placed, required)) {
    const late = placed.slice(count);
    if (late.some(({ kind, isOptional }) => kind === 'positional' && !isOptional)) continue;
    const byName = [...late.filter(({ kind }) => kind === 'any'), ...named];
    if (byName.length === 0 && namedRest === undefined) continue;
    const members = byName.map((one) =>
      typed(one).replace(/^(\w+?)_(\??:)/, (whole, name: string, end: string) => (RESERVED.has(name) ? name + end : whole)),
    );
    if (namedRest !== undefined) members.push('[name: string]: unknown');
    const before = placed.slice(0, count).map((one) => typed({ ...one, isOptional: false }));
    lists.push(
      [...before, `named${before.some((one) => /^named\b/.test(one)) ? '_' : ''}: NamedArguments<{ ${members.join('; ')} }>`].join(', '),
    );
  }
  return lists;
}

/** How many stand before those by name: the required ones, then more, and none. */
function countsByPlace(placed: readonly Parameter[], required: number): number[] {
  const optional = placed.length - required;
  const between = optional > OVERLOADS_MAX ? [] : Array.from({ length: optional }, (_, at) => required + at + 1);
  return [...new Set([required, ...between, placed.length, 0])];
}

const withoutSelf = (parameters: readonly Parameter[]): readonly Parameter[] =>
  ['positional', 'any'].includes(parameters[0]?.kind ?? '') ? parameters.slice(1) : parameters;

const safe = (name: string): string => (RESERVED.has(name) ? `${name}_` : name);

/** What awaiting a call gives. */
function resultOf({ returns, isGenerator, decorators }: FunctionDeclaration, annotations: Annotations): string {
  if (decorators.some((name) => name.endsWith('contextmanager'))) return 'GuestObject';
  return returns === null && isGenerator ? 'AsyncIterable<unknown>' : annotations.typeOf(returns, 'out');
}

/** Written with `typing.overload`: the function itself has no signature of its own then. */
const isOverload = ({ decorators }: FunctionDeclaration): boolean => decorators.some((name) => lastOf(name) === 'overload');

/** All functions of that name, as `name(…): Promise<…>`. */
export function signaturesOf(
  functions: readonly FunctionDeclaration[],
  annotations: Annotations,
  { name, isMethod }: { readonly name: string; readonly isMethod: boolean },
): string[] {
  const overloads = functions.filter(isOverload);
  const wanted = overloads.length > 0 ? overloads : functions.slice(-1);
  const signatures = wanted.flatMap((one) => {
    const result = resultOf(one, annotations);
    return parameterLists(one.parameters, annotations, isMethod).map((list) => `${name}(${list}): Promise<${result}>`);
  });
  return [...new Set(signatures)];
}
