/**
 * `fulmar/adapters/lambda`: an application as a handler of AWS Lambda, for API Gateway (REST and HTTP APIs),
 * function URLs and load balancers. There is no socket: an event becomes an exchange, its reply the result.
 */
import { platformOf } from '../platform.ts';
import { batch } from './batch.ts';
import type { LambdaPlatform } from './event-types.ts';
import { lambda, lambdaStream } from './handler.ts';

/** The event and the context of a request: of a context of ours, of Express's `req`, of Koa's `ctx`. */
export function platform(from: object): LambdaPlatform {
  return platformOf(from, 'lambda()') as LambdaPlatform;
}

export { batch } from './batch.ts';
export { lambda, type LambdaHandler, type LambdaOptions, lambdaStream } from './handler.ts';
export type { BatchHandler, BatchOptions, BatchRecord, BatchResult } from './batch.ts';
export type { StreamHandler } from './streaming.ts';
export type { LambdaContext, LambdaEvent, LambdaPlatform, LambdaResult } from './event-types.ts';
export default { lambda, lambdaStream, batch, platform };
