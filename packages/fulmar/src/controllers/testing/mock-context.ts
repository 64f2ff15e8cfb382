/**
 * An `ExecutionContext` without a request on its way: guards, interceptors and filters are called with it as they are
 * by the application.
 */
import type { ExecutionContext, HttpArgumentsHost, Type } from '../nest-types.ts';
import type { AnyContext } from '../../app/index.ts';
import { toRpc, toWs } from '../pipeline/transports.ts';
import { createMockRequest } from './mock-request.ts';
import { createMockResponse } from './mock-response.ts';

export interface MockContextParts {
  /** Whose metadata `Reflector` reads. */
  handler?: Function;
  controller?: Type<any>;
  next?: (error?: unknown) => void;
  /** What `getContext()` gives: the app's own. */
  context?: AnyContext;
}

class MockController {}

export function createMockExecutionContext(
  request: unknown = createMockRequest(),
  response: unknown = createMockResponse(),
  { handler = () => undefined, controller = MockController, next = () => undefined, context }: MockContextParts = {},
): ExecutionContext {
  const args: any[] = [request, response, next];
  const http: HttpArgumentsHost = {
    getRequest: () => args[0] as never,
    getResponse: () => args[1] as never,
    getNext: () => args[2] as never,
  };
  const places: Pick<ExecutionContext, 'getArgs' | 'getArgByIndex'> = {
    getArgs: () => args as never,
    getArgByIndex: (index) => args[index] as never,
  };
  return {
    ...http,
    ...places,
    switchToHttp: () => http,
    switchToRpc: () => toRpc(places),
    switchToWs: () => toWs(places),
    getType: () => 'http' as never,
    getClass: () => controller as never,
    getHandler: () => handler,
    getContext: () => {
      if (context === undefined) throw new Error('createMockExecutionContext() was given no { context }, which getContext() is asked for.');
      return context;
    },
  };
}
