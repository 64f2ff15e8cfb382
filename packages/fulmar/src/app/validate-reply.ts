/**
 * What a handler returned against the schema of its route. A reply that breaks it is a mistake of the
 * application's: an error where it is developed, a line in the log in production, where clients are better
 * served with it than without. Schemas of other libraries change nothing of the reply; JSON Schemas leave out
 * what they do not know where they say `additionalProperties: false`, compiled types write the reply themselves, and
 * what breaks one of these is never sent.
 */
import type { Run } from './chain.ts';
import type { AnyContext } from './context.ts';
import { JsonReply, OwnReply, Reply } from './reply-value.ts';
import type { RouteOptions } from './route-types.ts';
import { isOwn, isSchema, pathOf, type StandardResult, type StandardSchemaV1 } from './standard-schema.ts';
import { isStreamed } from './stream-reply.ts';
import { isThenable } from '../host/thenable.ts';

/** Issues that the log is told of one reply. */
const ISSUES_MAX = 10;

const NO_CONTENT: ReadonlySet<number> = new Set([204, 205]);

type Result = StandardResult<unknown>;

/** Made of the route's where it was registered. */
type SchemasByStatus = Readonly<Record<number, StandardSchemaV1>>;

export function withValidReply(handler: Run, options: RouteOptions): Run {
  const check = replyCheck(options);
  if (check === null) return handler;
  return (c) => {
    const value = handler(c);
    return isThenable(value) ? value.then((settled) => check(c, settled, c.statusCode)) : check(c, value, c.statusCode);
  };
}

/** `status`: that of the reply, 0 where nobody has said one. What is returned is what is sent. */
export type ReplyCheck = (c: AnyContext, value: unknown, status: number) => unknown;

/** Null: no schema says what a reply is. */
export function replyCheck(options: RouteOptions): ReplyCheck | null {
  const response = options.response as StandardSchemaV1 | SchemasByStatus | undefined;
  if (response === undefined) return null;
  const only = isSchema(response) ? response : null;
  // Read once: the environment is a call of the system's for each look at it.
  const isThrown = process.env['NODE_ENV'] !== 'production';
  const check: ReplyCheck = (c, value, status) => {
    if (value === c) return check(c, undefined, status);
    const schema = only === null ? schemaFor(value, status, response as SchemasByStatus) : isOfSuccess(status) ? only : undefined;
    if (schema === undefined || !isKnown(value)) return value;
    const content = contentOf(value);
    const result = schema['~standard'].validate(content);
    if (isThenable(result)) return result.then((settled) => judge(c, value, settled, isThrown));
    // A schema of ours says what is sent; what others make of a value is for their own use.
    if (result.issues === undefined && isOwn(schema)) {
      if (schema.stringify !== undefined) return written(value, content, schema.stringify);
      if (result.value !== content) return withContent(value, result.value);
    }
    return judge(c, value, result, isThrown || isOwn(schema));
  };
  return check;
}

function judge(c: AnyContext, value: unknown, { issues }: Result, isThrown: boolean): unknown {
  if (issues === undefined) return value;
  const told = issues.slice(0, ISSUES_MAX).map((issue) => `${['$', ...pathOf(issue)].join('.')}: ${issue.message}`);
  const error = new TypeError(`The reply of ${c.method} ${c.route} breaks its schema: ${told.join('; ')}`);
  if (isThrown) throw error;
  c.settings.logger.error(error.message);
  return value;
}

/** What one schema is for. */
const isOfSuccess = (status: number): boolean => status < 300 && !NO_CONTENT.has(status);

/**
 * One schema is for success; of several that of the status, of a reply without a status or a value that of
 * 204, else of 200.
 */
function schemaFor(value: unknown, status: number, response: SchemasByStatus): StandardSchemaV1 | undefined {
  if (status !== 0) return response[status];
  return (isNothing(value) ? response[204] : undefined) ?? response[200];
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** What a stream, bytes or a `Response` of the web hold is not known before they are sent. */
function isKnown(value: unknown): boolean {
  // It sends itself, as what becomes a WebSocket does.
  if (value instanceof OwnReply) return false;
  const content = value instanceof Reply && !(value instanceof JsonReply) ? value.value : value;
  if (typeof content !== 'object' || content === null) return true;
  // Nearly always; whatever members it has, it is sent as JSON.
  const prototype: unknown = Object.getPrototypeOf(content);
  if (prototype === Object.prototype || Array.isArray(content) || content instanceof JsonReply) return true;
  if (content instanceof ArrayBuffer || ArrayBuffer.isView(content)) return false;
  return !(
    content instanceof Response ||
    content instanceof Blob ||
    content instanceof URLSearchParams ||
    content instanceof Error ||
    isStreamed(content)
  );
}

function contentOf(value: unknown): unknown {
  if (value instanceof JsonReply) return value.given;
  return value instanceof Reply ? value.value : value;
}

/** By the encoder of its type. A text that is the whole reply is no JSON, and nothing has no content. */
function written(value: unknown, content: unknown, stringify: (value: never) => string): unknown {
  if (value instanceof Reply ? !(value instanceof JsonReply) : typeof content === 'string' || isNothing(content)) return value;
  return new JsonReply(content, stringify(content as never));
}

function withContent(value: unknown, content: unknown): unknown {
  return value instanceof JsonReply ? new JsonReply(content) : content;
}
