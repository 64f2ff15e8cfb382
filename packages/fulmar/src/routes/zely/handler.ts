/**
 * Handlers of `style: 'zely'`: functions of Zely's context or of `(req, res)`, with the short ways that Zely puts on both,
 * answered through a response of Node's. What returns nothing, and has not asked for the response, is 204.
 */
import type { ServerResponse } from 'node:http';
import type { AnyContext } from '../../app/index.ts';
import type { Declared, DeclaredFile } from '../module/declared.ts';
import { ZelyContext, type ZelyRequest } from './context.ts';
import { throughMessages } from './messages.ts';
import { sendFile, sendValue } from './send.ts';

type Callback = (...given: readonly unknown[]) => unknown;
type Run = (c: AnyContext) => unknown;

/** Of `(req, res)`. */
const MESSAGES_PARAMETERS = 2;
const NO_CONTENT = 204;

/** One request in the two forms in which functions of Zely are given it. */
interface Asked {
  readonly ctx: ZelyContext;
  readonly request: ZelyRequest;
  readonly response: ServerResponse;
}

export function zelyHandler({ run, fields }: Declared, { page }: DeclaredFile): Run {
  const inner: Callback = 'value' in run ? () => run.value : (run.handler as Callback);
  const ahead = [page.before ?? []].flat() as Callback[];
  const behind = [page.after ?? []].flat() as Callback[];
  const answer = async (asked: Asked, status: number): Promise<void> => {
    const { ctx, response } = asked;
    // 404 of who answers what is not found.
    if (status !== 0) response.statusCode = status;
    for (const [name, value] of Object.entries(fields)) response.setHeader(name, value);
    let isMessages = false;
    for (const one of [...ahead, inner]) {
      isMessages ||= one.length >= MESSAGES_PARAMETERS;
      const value = await called(one, asked);
      // What has answered is the last: nothing behind it runs for nobody.
      if (response.writableEnded) return after(behind, asked);
      if (one === inner) sendValue(response, value);
    }
    await after(behind, asked);
    if (response.writableEnded || isMessages || ZelyContext.isTaken(ctx)) return;
    if (response.statusCode === 200) response.statusCode = NO_CONTENT;
    response.end();
  };
  return (c) => {
    const params = paramsOf(c);
    return throughMessages(
      c,
      (request, response) => answer(asking(c, { request, response, params }), c.statusCode),
      () => Promise.resolve(),
    );
  };
}

async function after(hooks: readonly Callback[], asked: Asked): Promise<void> {
  for (const hook of hooks) await called(hook, asked);
}

const called = (one: Callback, { ctx, request, response }: Asked): unknown =>
  one.length >= MESSAGES_PARAMETERS ? one(request, response) : one(ctx);

export interface Messages {
  readonly request: ZelyRequest;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Puts Zely's short ways on both. */
export function asking(c: AnyContext, { request, response, params }: Messages): Asked {
  Object.assign(request, { params, query: c.query });
  const ctx = new ZelyContext({ request, response, params, query: c.query, url: urlOf(c) });
  Object.assign(response, {
    json: (value: unknown) => response.end(JSON.stringify(value)),
    send: (value: unknown, status?: number) => (sendValue(response, value, status), response),
    html: (text: string) => (response.setHeader('Content-Type', 'text/html'), response.end(text)),
    status: (code: number) => ((response.statusCode = code), response),
    sendFile: (file: string) => (sendFile(response, file), response),
  });
  return { ctx, request, response };
}

/** Joined, not resolved: a path that begins with two slashes is no host. Without a `Host` that is one there is none. */
const urlOf = (c: AnyContext): URL => (URL.canParse(c.origin + c.url) ? new URL(c.origin + c.url) : new URL(`http://localhost${c.url}`));

/** The rest of a path as one text, as Zely has it, and decoded, which Zely does not. */
function paramsOf(c: AnyContext): Readonly<Record<string, unknown>> {
  const params = { ...c.params } as Record<string, unknown>;
  const star = c.route.lastIndexOf('/*');
  if (star !== -1) params['*'] = params[c.route.slice(star + 2)];
  return params;
}
