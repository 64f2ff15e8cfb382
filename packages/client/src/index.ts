/** `fulmar/client`: calls what `fulmar/rpc` serves, typed by the server's type. Needs `fetch` and no more. */
import { createClient } from './client.ts';
import { ClientError } from './client-error.ts';

export { ClientError, createClient };
export type { ClientIssue } from './client-error.ts';
export type { Binary, CallError, CallOptions, Client, ClientOptions, CommonError, Interceptor, Outcome, Outgoing } from './client-types.ts';
