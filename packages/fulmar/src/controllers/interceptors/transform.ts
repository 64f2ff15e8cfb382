/**
 * `TransformInterceptor` and `ResponseInterceptor`: what handlers return within something else. Files, streams, events,
 * redirects and replies of the app's context leave as they are, and so do errors, which are for filters.
 */
import { Injectable } from '../decorators/modules.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { asked, isAnsweredOtherwise, isEventRoute, isSentAsIs } from '../pipeline/around.ts';
import { Host } from '../pipeline/host.ts';

type Transform = (value: any, context: ExecutionContext) => unknown;

const within: Transform = (data: unknown) => ({ data });

export class TransformInterceptor implements NestInterceptor {
  readonly #transform: Transform;

  /** Without a function `{ data }`. @throws TypeError for what is none */
  constructor(transform: Transform = within) {
    if (typeof transform !== 'function')
      throw new TypeError(`TransformInterceptor takes a function (value, context), and this is of type ${typeof transform}.`);
    this.#transform = transform;
  }

  intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> | object {
    return wrapped(context, next, (value) => this.#transform(value, context));
  }
}

function wrapped(context: ExecutionContext, next: CallHandler, change: (value: unknown) => unknown): Promise<unknown> | object {
  if (isEventRoute(context)) return next.handle();
  if (isAnsweredOtherwise(context)) return next();
  return next().then((value) => (isSentAsIs(value, context) ? value : change(value)));
}

const statusOf = (context: ExecutionContext): number => {
  if (!(context instanceof Host)) return context.getResponse<{ statusCode?: number }>().statusCode ?? 200;
  if (context.hasMessages) return context.messages.res.statusCode;
  return context.c.statusCode === 0 ? context.route.status : context.c.statusCode;
};

/** `{ success, statusCode, data, meta: { timestamp, duration, path, method } }`. */
export class ResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> | object {
    const began = performance.now();
    return wrapped(context, next, (data) => {
      const { url: path, method } = asked(context);
      const meta = { timestamp: new Date().toISOString(), duration: `${Math.round(performance.now() - began)}ms`, path, method };
      return { success: true, statusCode: statusOf(context), data, meta };
    });
  }
}

for (const interceptor of [TransformInterceptor, ResponseInterceptor]) Injectable()(interceptor);
