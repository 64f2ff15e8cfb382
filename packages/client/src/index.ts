/** `fulmar/client`: calls what `fulmar/rpc` serves, typed by the server's type. Needs `fetch` and no more. */
import { createClient } from './client.ts';
import { ClientError } from './client-error.ts';

export { ClientError, createClient };
export type { ClientIssue } from './client-error.ts';
export type { BinaryCodec, CallOptions, Client, ClientOptions, Interceptor, Outcome, Outgoing } from './client-types.ts';
