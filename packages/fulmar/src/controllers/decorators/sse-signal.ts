/**
 * `@SseSignal()`: the signal of a reply of events, by which a handler stops what it has begun for it. `pipeline/sse.ts`
 * aborts it.
 */
import type { ExecutionContext } from '../nest-types.ts';
import { createParamDecorator } from './parameters.ts';

/** Where the request carries the controller of the signal. */
export const SSE_ABORT_CONTROLLER: unique symbol = Symbol('SSE_ABORT_CONTROLLER');

type Carrier = { readonly [SSE_ABORT_CONTROLLER]?: AbortController };

/** `undefined` where the reply is none of events. */
export const SseSignal: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AbortSignal | undefined =>
    context.switchToHttp().getRequest<Carrier>()[SSE_ABORT_CONTROLLER]?.signal,
);
