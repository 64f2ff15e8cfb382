/**
 * `node:async_hooks`
 */
import { AsyncLocalStorage } from './storage.ts';
import { AsyncResource, createHook, executionAsyncId, executionAsyncResource, triggerAsyncId } from './resource.ts';

/** Kinds of resources, as Node numbers them. */
const asyncWrapProviders = Object.freeze(
  Object.assign(Object.create(null) as object, { NONE: 0, PROMISE: 1, Timeout: 2, Immediate: 3, TickObject: 4 }),
);

export default {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  asyncWrapProviders,
};
