/** The types that a route may have, and what `route<…>()` gives for them. Types alone. */
import type { TypeSchema } from './schema.ts';

export interface RouteTypes {
  /** Of the path, of what follows `?`, of fields by their names in lower case, of cookies: made of texts. */
  readonly params?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly cookies?: object;
  /** Of JSON or of a form. */
  readonly body?: unknown;
  /** Of replies of success; or one for each status, as in `{ 200: User; 404: Problem }`. */
  readonly response?: unknown;
}

export type RouteSchemas<Types extends RouteTypes> = {
  readonly [Place in keyof Types]: Place extends 'response' ? ReplySchemas<Types[Place]> : TypeSchema<Types[Place]>;
};

/** A type whose members are statuses alone is no reply, but one for each of them. */
type ReplySchemas<Reply> =
  IsOfStatuses<Reply> extends true ? { readonly [Status in keyof Reply]: TypeSchema<Reply[Status]> } : TypeSchema<Reply>;

type IsOfStatuses<Reply> = [Reply] extends [object]
  ? [keyof Reply] extends [never]
    ? false
    : number extends keyof Reply
      ? false
      : [keyof Reply] extends [number]
        ? true
        : false
  : false;
