/**
 * Registers a class in a module: adds its import, and its name to a list of `@Module({ … })`. Everything else
 * stays as it was written, line ends and comments too. Works on a text; an `Obstacle` says why it cannot.
 */
import {
  entriesOf,
  findModuleCall,
  hasEntry,
  importsOf,
  isDeclared,
  listOf,
  membersOf,
  type ModuleImport,
  type Node,
  objectOf,
  Obstacle,
} from './module-syntax.ts';
import type { ModuleList } from './schematics.ts';
import { addToList, insert, lineEndOf, type Parsed, toIndent } from './text-edit.ts';

export interface Registration {
  readonly className: string;
  /** Of the import, relative to the module. */
  readonly from: string;
  readonly list: ModuleList;
}

/** `errors`: what does not parse, if anything does not. Places are those of UTF-16, as of JavaScript's texts. */
export interface Parser {
  (
    name: string,
    text: string,
  ): { readonly program: unknown; readonly comments: readonly { start: number; end: number }[]; readonly errors: readonly unknown[] };
}

const MARK = '\uFEFF';

/** The text with the class in it; the same text where it is in it. Throws an `Obstacle`. */
export function register(text: string, file: string, what: Registration, parse: Parser): string {
  const mark = text.startsWith(MARK) ? MARK : '';
  const before = text.slice(mark.length);
  const after = importInto(listInto(before, file, what, parse), file, what, parse);
  // What was changed has to be what was meant: nothing is written that does not hold the class.
  const list = findList(read(after, file, parse).program, file, what);
  if (list === undefined || !hasEntry(list, what.className)) throw new Obstacle('it is written in a way that is not understood');
  return mark + after;
}

function read(text: string, file: string, parse: Parser): Parsed {
  const { program, comments, errors } = parse(file, text);
  if (errors.length > 0) throw new Obstacle('it does not parse');
  return { text, program: program as Node, comments, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function findList(program: Node, file: string, { list }: Registration): Node | undefined {
  const object = objectOf(findModuleCall(program, file));
  return object === undefined ? undefined : listOf(object, list);
}

function listInto(text: string, file: string, { className, list }: Registration, parse: Parser): string {
  const parsed = read(text, file, parse);
  const call = findModuleCall(parsed.program, file);
  const object = objectOf(call);
  const { eol } = parsed;
  const outer = toIndent(text, call.start);
  const member = `${list}: [${className}]`;
  const alone = `{${eol}${outer}${indentUnit(text)}${member},${eol}${outer}}`;
  if (object === undefined) return insert(text, call.end - 1, alone);
  const array = listOf(object, list);
  if (array !== undefined) return hasEntry(array, className) ? text : addToList(parsed, array, entriesOf(array), className);
  if (membersOf(object).length > 0) return addToList(parsed, object, membersOf(object), member);
  const within = text.slice(object.start + 1, object.end - 1);
  if (within.trim() === '') return text.slice(0, object.start) + alone + text.slice(object.end);
  return insert(text, object.start + 1, `${eol}${outer}${indentUnit(text)}${member},`);
}

/** Two blanks, unless the file has other ones. */
function indentUnit(text: string): string {
  return /^(\t| {2,8})\S/m.exec(text)?.[1] ?? '  ';
}

function importInto(text: string, file: string, { className, from }: Registration, parse: Parser): string {
  const parsed = read(text, file, parse);
  const imports = importsOf(parsed.program);
  const named = imports.find(({ names }) => names.includes(className));
  if (named !== undefined && toPlain(named.from) === toPlain(from)) return text;
  if (named !== undefined || isDeclared(parsed.program, className)) throw new Obstacle(`it has another ${className}`);
  const call = findModuleCall(parsed.program, file);
  const last = imports.findLast(({ node }) => node.end <= call.start);
  const line = importLine(text, last, className, from);
  if (last !== undefined) return insert(text, lineEndOf(parsed, last.node.end), parsed.eol + line);
  const start = /^#!.*(?:\r?\n|$)/.exec(text)?.[0].length ?? 0;
  return insert(text, start, line + parsed.eol);
}

/** With or without an extension it is one file. */
const toPlain = (specifier: string): string => specifier.replace(/\.[jt]s$/, '');

/** As the import before it is written. */
function importLine(text: string, last: ModuleImport | undefined, className: string, from: string): string {
  const written = last === undefined ? "'';" : text.slice(last.node.start, last.node.end);
  const quote = /(["'])[^"']*\1\s*;?$/.exec(written)?.[1] ?? "'";
  return `import { ${className} } from ${quote}${from}${quote}${written.endsWith(';') ? ';' : ''}`;
}
