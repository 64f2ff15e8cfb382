/**
 * A handler of a file as one of the app's: values, functions of a context and of `(req, res)`, with what `page` puts
 * around them. What returns nothing is 204, so that nobody waits for ever.
 */
import type { AnyContext } from '../../app/index.ts';
import { nodeMiddleware } from '../../app/middleware/index.ts';
import { isThenable } from '../../host/thenable.ts';
import { cached } from '../cache/cached.ts';
import type { PathPart } from '../files/file-route.ts';
import type { Declared, DeclaredFile } from '../module/declared.ts';
import { zelyHandler } from '../zely/handler.ts';

type Run = (c: AnyContext) => unknown;

/** Of `(req, res)`. */
const MESSAGES_PARAMETERS = 2;
/** Methods of handlers whose replies `config.cache` may keep. */
const CACHED: ReadonlySet<string> = new Set(['GET', 'HEAD', '*']);

export function handlerOf(declared: Declared, file: DeclaredFile, parts: readonly PathPart[]): Run {
  if (file.style === 'zely') return zelyHandler(declared, file);
  const { fields } = declared;
  const { page } = file;
  const inner = innerOf(declared, file);
  const rest = restOf(parts);
  const ahead = [page.before ?? []].flat();
  const behind = [page.after ?? []].flat();
  if (ahead.length + behind.length === 0 && rest === null && Object.keys(fields).length === 0) return (c) => sent(c, inner(c));
  return async (c) => {
    if (rest !== null) c.params = withRest(c, rest) as never;
    for (const [name, value] of Object.entries(fields)) c.header(name, value);
    let value: unknown;
    for (const hook of ahead) {
      value = await hook(c);
      if (value !== undefined && value !== c) return value;
    }
    value = await inner(c);
    for (const hook of behind) {
      const other = await hook(c, value);
      if (other !== undefined && other !== c) value = other;
    }
    return sent(c, value);
  };
}

/** What is between the hooks of the file. */
function innerOf({ run, method }: Declared, { cache, schema }: DeclaredFile): Run {
  if ('value' in run) return valueRun(run.value);
  if (run.handler.length >= MESSAGES_PARAMETERS) return messagesRun(run.handler as never);
  const handler = run.handler as Run;
  if (cache === undefined || !CACHED.has(method)) return handler;
  return cached(handler, cache, () => schema?.response !== undefined);
}

/** Nothing is 204. */
function sent(c: AnyContext, value: unknown): unknown {
  if (isThenable(value)) return value.then((later) => sent(c, later));
  if ((value !== undefined && value !== c) || c.statusCode !== 0) return value;
  c.status(204);
  return undefined;
}

const valueRun =
  (value: unknown): Run =>
  () =>
    value;

type Listener = (req: object, res: unknown) => unknown;

/** Node's own request and response; the request has the parameters of the path, and its query. */
function messagesRun(listener: Listener): Run {
  return (c) => {
    const given = (req: object, res: unknown): unknown => listener(Object.assign(req, { params: c.params, query: c.query }), res);
    return nodeMiddleware(given as never)(c as never, () => Promise.resolve());
  };
}

const restOf = (parts: readonly PathPart[]): string | null => {
  const last = parts.at(-1);
  return last?.kind === 'rest' ? last.name : null;
};

/** The rest of a path as a list, each segment decoded, under its name and under `*`. */
function withRest(c: AnyContext, name: string): Record<string, unknown> {
  const depth = c.route.split('/').length - 1;
  const rest = c.pathname.split('/').slice(depth).map(decodeURIComponent);
  return Object.assign(Object.create(null) as Record<string, unknown>, c.params, { [name]: rest, '*': rest });
}
