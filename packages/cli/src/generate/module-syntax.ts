/**
 * The part of a module's syntax that a class is registered in: the decorator `@Module({ … })`, its object, a
 * list of that. Says where it is, or why it is not to be found. Changes nothing.
 */
import type { ModuleList } from './schematics.ts';

/** The part of an ESTree node that is looked at. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What is in the way, to be read behind the name of the file. */
export class Obstacle extends Error {}

const kids = (node: Node | undefined, key: string): readonly Node[] => (node?.[key] ?? []) as readonly Node[];
const kid = (node: Node | undefined, key: string): Node | undefined => (node?.[key] ?? undefined) as Node | undefined;
const nameOf = (node: Node | undefined): string | undefined => (node?.type === 'Identifier' ? (node['name'] as string) : undefined);

/** The expression within parentheses and what only types say (`as`, `satisfies`). */
function bare(node: Node | undefined): Node | undefined {
  const isWrapper = /^(?:ParenthesizedExpression|TS(?:As|Satisfies|NonNull)Expression)$/.test(node?.type ?? '');
  return isWrapper ? bare(kid(node, 'expression')) : node;
}

/** The call `Module(…)` of the one module of the file. `file`: its name, which tells which of several is meant. */
export function findModuleCall(program: Node, file: string): Node {
  const local = localName(program);
  const modules = kids(program, 'body').flatMap((statement) => {
    const declared = statement.type.startsWith('Export') ? kid(statement, 'declaration') : statement;
    const expression = kids(declared, 'decorators')
      .map((one) => kid(one, 'expression'))
      .find((one) => isModule(one, local));
    return expression === undefined ? [] : [{ name: nameOf(kid(declared, 'id')), expression }];
  });
  const [first, ...others] = modules;
  if (first === undefined) throw new Obstacle('no class in it has @Module({ … })');
  const meant = others.length === 0 ? first : modules.find(({ name }) => name === classNameOf(file));
  if (meant === undefined)
    throw new Obstacle(`it has several modules (${modules.map(({ name }) => name ?? 'one without a name').join(', ')})`);
  if (meant.expression.type !== 'CallExpression') throw new Obstacle('its @Module is not called');
  return meant.expression;
}

/** What `Module` is called in this file. */
function localName(program: Node): string {
  for (const statement of kids(program, 'body')) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of kids(statement, 'specifiers'))
      if (nameOf(kid(specifier, 'imported')) === 'Module') return nameOf(kid(specifier, 'local')) ?? 'Module';
  }
  return 'Module';
}

/** `Module`, `Module(…)`, and those of a namespace: `common.Module(…)`. */
function isModule(expression: Node | undefined, local: string): boolean {
  const callee = expression?.type === 'CallExpression' ? kid(expression, 'callee') : expression;
  if (callee?.type === 'MemberExpression') return nameOf(kid(callee, 'property')) === 'Module';
  return nameOf(callee) === local;
}

const classNameOf = (file: string): string =>
  file.replace(/\.ts$/, '').replaceAll(/(?:^|[.-])(.)/g, (_, letter: string) => letter.toUpperCase());

/** The object that the call is given; `undefined`: it is given nothing. */
export function objectOf(call: Node): Node | undefined {
  const [argument] = kids(call, 'arguments');
  if (argument === undefined) return undefined;
  const object = bare(argument);
  if (object?.type !== 'ObjectExpression') throw new Obstacle('what its @Module() is given is not written there as an object');
  return object;
}

/** The array of one of its lists; `undefined`: it has no such list. */
export function listOf(object: Node, list: ModuleList): Node | undefined {
  const members = kids(object, 'properties');
  const at = members.findLastIndex((member) => member.type === 'Property' && keyOf(member) === list);
  const spread = members.findLastIndex(({ type }) => type === 'SpreadElement');
  if (spread > at) throw new Obstacle(`its @Module() may have its ${list} from what is spread into it`);
  if (at < 0) return undefined;
  const array = bare(kid(members[at], 'value'));
  if (array?.type !== 'ArrayExpression') throw new Obstacle(`its ${list} are not written there as a list`);
  if (kids(array, 'elements').at(-1) === null) throw new Obstacle(`its ${list} end with a gap`);
  return array;
}

function keyOf(member: Node): unknown {
  if (member['computed'] === true) return undefined;
  const key = kid(member, 'key');
  return key?.type === 'Literal' ? key['value'] : nameOf(key);
}

export const entriesOf = (array: Node): readonly Node[] => kids(array, 'elements');
export const membersOf = (object: Node): readonly Node[] => kids(object, 'properties');
export const hasEntry = (array: Node, name: string): boolean => entriesOf(array).some((entry) => nameOf(bare(entry)) === name);

export interface ModuleImport {
  readonly node: Node;
  readonly from: string;
  readonly names: readonly string[];
}

export function importsOf(program: Node): ModuleImport[] {
  return kids(program, 'body')
    .filter(({ type }) => type === 'ImportDeclaration')
    .map((node) => ({
      node,
      from: kid(node, 'source')?.['value'] as string,
      names: kids(node, 'specifiers').map((specifier) => nameOf(kid(specifier, 'local')) ?? ''),
    }));
}

/** Is a name declared at the top of the file by something else than an import? */
export function isDeclared(program: Node, name: string): boolean {
  return kids(program, 'body').some((statement) => {
    const declared = statement.type.startsWith('Export') ? kid(statement, 'declaration') : statement;
    return [kid(declared, 'id'), ...kids(declared, 'declarations').map((one) => kid(one, 'id'))].some((id) => nameOf(id) === name);
  });
}
