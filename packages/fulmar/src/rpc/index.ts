/**
 * `fulmar/rpc`: functions that are called over HTTP, with their types on both sides. Its clients are made by
 * `fulmar/client`.
 */
import { rpcError, RpcFailure } from './failure.ts';
import { middleware } from './middleware.ts';
import { mutation, procedures, query } from './procedure.ts';
import { rpc } from './rpc.ts';
import { file, stream } from './parts/schemas.ts';
import { scoped } from './scoped.ts';

export default { file, middleware, mutation, procedures, query, rpc, rpcError, RpcFailure, scoped, stream };
export type {
  ApiTree,
  CompiledApi,
  CompiledPart,
  CompiledProcedure,
  Kind,
  Procedure,
  ProcedureOptions,
  RpcApp,
  RpcOptions,
  Serializer,
  UploadLimits,
} from './api-types.ts';
export type { RpcIssue } from './errors.ts';
export { rpcError, RpcFailure } from './failure.ts';
export { type MakeMiddleware, middleware } from './middleware.ts';
export type { CallWith, Declared, Guarded, Middleware, MiddlewareOptions, Next, Scoped, UsedBy, Uses, Went } from './middleware-types.ts';
export { file, type FileSchemaOptions, stream } from './parts/schemas.ts';
export { mutation, type Procedures, procedures, query } from './procedure.ts';
export { rpc } from './rpc.ts';
export { type Call, type CallMiddleware, scoped } from './scoped.ts';
