/**
 * Interfaces from the text of TypeScript files: members, and how many arguments a function must have. A type
 * literal that a member has or returns is an interface of its own, `<interface>.<member>`.
 */
import { parseSync } from 'rolldown/utils';

export interface Member {
  /** Arguments that must be given; undefined for what is no function. */
  readonly required: number | undefined;
}

export interface Interfaces {
  /** The members of an interface and of those that it extends. */
  members(name: string): Record<string, Member>;
  /** The interfaces that one extends. */
  parents(name: string): readonly string[];
  /** All that have a function. */
  withFunctions(): string[];
}

/** What is looked at of a syntax tree. */
interface Syntax {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Found {
  readonly own: Map<string, Member>;
  readonly parents: string[];
}

export function readInterfaces(texts: readonly string[]): Interfaces {
  const found = new Map<string, Found>();
  for (const text of texts) {
    const { program, errors } = parseSync('interfaces.ts', text);
    if (errors.length > 0) throw new Error(`not TypeScript: ${errors[0]?.message}`);
    collect(program as unknown as Syntax, found);
  }
  return {
    members: (name) => membersOf(name, found),
    parents: (name) => found.get(name)?.parents ?? [],
    withFunctions: () =>
      [...found].filter(([, { own }]) => [...own.values()].some(({ required }) => required !== undefined)).map(([name]) => name),
  };
}

function membersOf(name: string, found: ReadonlyMap<string, Found>): Record<string, Member> {
  const { own, parents } = found.get(name) ?? { own: new Map<string, Member>(), parents: [] };
  return Object.assign({}, ...parents.map((parent) => membersOf(parent, found)), Object.fromEntries(own)) as Record<string, Member>;
}

const isSyntax = (value: unknown): value is Syntax => typeof value === 'object' && value !== null && 'type' in value;

/** Every interface below `at`. */
function collect(at: unknown, found: Map<string, Found>): void {
  if (Array.isArray(at)) for (const one of at) collect(one, found);
  if (!isSyntax(at)) return;
  if (at.type !== 'TSInterfaceDeclaration') {
    for (const value of Object.values(at)) collect(value, found);
    return;
  }
  const parents = (at['extends'] as Syntax[]).map(({ expression }) => nameOf(expression));
  add(found, { name: nameOf(at['id']), parents, members: (at['body'] as Syntax)['body'] as Syntax[] });
}

function add(found: Map<string, Found>, { name, parents, members }: { name: string; parents: string[]; members: readonly Syntax[] }): void {
  const known = found.get(name) ?? { own: new Map<string, Member>(), parents: [] };
  found.set(name, known);
  known.parents.push(...parents);
  for (const member of members) {
    const key = nameOf(member['key']);
    known.own.set(key, { required: member.type === 'TSMethodSignature' ? requiredOf(member['params'] as Syntax[]) : undefined });
    const type = (member['returnType'] ?? member['typeAnnotation']) as Syntax | undefined;
    const literal = type?.['typeAnnotation'];
    if (isSyntax(literal) && literal.type === 'TSTypeLiteral') {
      add(found, { name: `${name}.${key}`, parents: [], members: literal['members'] as Syntax[] });
    }
  }
}

const requiredOf = (params: readonly Syntax[]): number =>
  params.filter((param) => param.type === 'Identifier' && param['optional'] !== true).length;

function nameOf(identifier: unknown): string {
  if (!isSyntax(identifier) || typeof identifier['name'] !== 'string') throw new Error('an identifier expected');
  return identifier['name'];
}
