/**
 * Where functions stand in their sources: asked of V8 through an inspector session of this thread, once for
 * all of them.
 *
 * Runs when facts are collected, never while a request is served. A Node without inspector gives no places.
 */
import type { Session } from 'node:inspector';
import { defineGlobal, globalInSource, removeGlobal } from '../host/globals.ts';

/** Where a function begins. Lines count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

interface InternalProperty {
  readonly name: string;
  readonly value?: { readonly value?: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number } };
}

interface Property extends InternalProperty {
  readonly value?: InternalProperty['value'] & { readonly objectId?: string };
}

interface Answer {
  readonly result?: { readonly objectId?: string } & readonly Property[];
  readonly internalProperties?: readonly InternalProperty[];
}

/** The place of each function, in order; `undefined` for those of Node itself and where it cannot be told. */
export function placesOf(functions: readonly unknown[]): (Place | undefined)[] {
  if (functions.length === 0) return [];
  let session: Session | undefined;
  try {
    const inspector = process.getBuiltinModule('node:inspector');
    session = new inspector.Session();
    session.connect();
    return askSession(session, functions);
  } catch {
    return functions.map(() => undefined);
  } finally {
    removeGlobal('fulmar.doctor.functions');
    session?.disconnect();
  }
}

function askSession(session: Session, functions: readonly unknown[]): (Place | undefined)[] {
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => void scripts.set(params.scriptId, params.url));
  ask(session, 'Debugger.enable', {});
  defineGlobal('fulmar.doctor.functions', { value: functions, configurable: true });
  const list = ask(session, 'Runtime.evaluate', { expression: globalInSource('fulmar.doctor.functions') }).result?.objectId;
  const members = ask(session, 'Runtime.getProperties', { objectId: list, ownProperties: true }).result ?? [];
  return functions.map((_, index) => {
    const objectId = members.find(({ name }) => name === String(index))?.value?.objectId;
    if (objectId === undefined) return undefined;
    const { internalProperties = [] } = ask(session, 'Runtime.getProperties', { objectId, ownProperties: true });
    const found = internalProperties.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value;
    const url = found && scripts.get(found.scriptId);
    return found === undefined || url === undefined ? undefined : toPlace(url, found.lineNumber, found.columnNumber);
  });
}

/** Within one thread the answer is there when `post` returns. */
function ask(session: Session, method: string, params: object): Answer {
  let answer: Answer = {};
  const post = session.post.bind(session) as (method: string, params: object, done: (error: Error | null, answer: Answer) => void) => void;
  post(method, params, (error, given) => {
    if (error === null) answer = given;
  });
  return answer;
}

interface SourceMapLike {
  findEntry(line: number, column: number): { readonly originalSource?: string; readonly originalLine?: number };
}

/** Lines of a compiled source are looked up in its source map. Lines of V8 count from 0. */
function toPlace(url: string, line: number, column: number): Place | undefined {
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  if (url.startsWith('node:') || url === '') return undefined;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const { findSourceMap } = process.getBuiltinModule('node:module') as unknown as {
    findSourceMap?: (path: string) => SourceMapLike | undefined;
  };
  const entry = (findSourceMap?.(file) ?? findSourceMap?.(url))?.findEntry(line, column);
  const isCompiled = !file.includes('node_modules') && entry?.originalLine !== undefined;
  return { file, line: (isCompiled ? (entry.originalLine as number) : line) + 1 };
}
