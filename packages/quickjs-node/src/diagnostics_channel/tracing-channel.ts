/**
 * A tracing channel: five channels that tell of the start and the end of a call.
 */
import { invalidArgType } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';
import { Channel, channel, type Listener } from './channel.ts';

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
type Event = (typeof EVENTS)[number];
type Handlers = Partial<Record<Event, Listener>>;
type Channels = Record<Event, Channel>;
type Context = Record<string, unknown>;
type Func = (...args: unknown[]) => unknown;

function channelOf(source: string | Partial<Channels>, event: Event): Channel {
  if (typeof source === 'string') return channel(`tracing:${source}:${event}`);
  const given = source[event];
  if (!(given instanceof Channel)) throw invalidArgType(`nameOrChannels.${event}`, ['Channel'], given);
  return given;
}

export class TracingChannel implements Channels {
  declare readonly start: Channel;
  declare readonly end: Channel;
  declare readonly asyncStart: Channel;
  declare readonly asyncEnd: Channel;
  declare readonly error: Channel;

  constructor(source: string | Partial<Channels>) {
    for (const event of EVENTS) Object.defineProperty(this, event, { value: channelOf(source, event) });
  }

  get hasSubscribers(): boolean {
    return EVENTS.some((event) => this[event].hasSubscribers);
  }

  subscribe(handlers: Handlers): void {
    for (const event of EVENTS) {
      const handler = handlers[event];
      if (handler) this[event].subscribe(handler);
    }
  }

  unsubscribe(handlers: Handlers): boolean {
    let all = true;
    for (const event of EVENTS) {
      const handler = handlers[event];
      if (handler && !this[event].unsubscribe(handler)) all = false;
    }
    return all;
  }

  traceSync(fn: Func, context: Context = {}, thisArg?: unknown, ...args: unknown[]): unknown {
    if (!this.hasSubscribers) return fn.apply(thisArg, args);
    return this.start.runStores(context, () => {
      try {
        const result = fn.apply(thisArg, args);
        context['result'] = result;
        return result;
      } catch (error) {
        this.#failed(context, error);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  tracePromise(fn: Func, context: Context = {}, thisArg?: unknown, ...args: unknown[]): unknown {
    if (!this.hasSubscribers) return fn.apply(thisArg, args);
    const settled = (): void => {
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    return this.start.runStores(context, () => {
      try {
        const result = fn.apply(thisArg, args);
        const promise = result instanceof Promise ? (result as Promise<unknown>) : Promise.resolve(result);
        return promise.then(
          (value) => {
            context['result'] = value;
            settled();
            return value;
          },
          (error: unknown) => {
            this.#failed(context, error);
            settled();
            throw error;
          },
        );
      } catch (error) {
        this.#failed(context, error);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  traceCallback(fn: Func, position = -1, context: Context = {}, thisArg?: unknown, ...args: unknown[]): unknown {
    if (!this.hasSubscribers) return fn.apply(thisArg, args);
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    args.splice(position, 1, this.#wrapped(callback as Func, context));
    return this.start.runStores(context, () => {
      try {
        return fn.apply(thisArg, args);
      } catch (error) {
        this.#failed(context, error);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  #wrapped(callback: Func, context: Context): Func {
    const { asyncStart, asyncEnd } = this;
    const failed = (error: unknown): void => this.#failed(context, error);
    return function wrappedCallback(this: unknown, ...results: unknown[]): void {
      const [error, value] = results;
      if (error) failed(error);
      else context['result'] = value;
      asyncStart.runStores(context, () => {
        try {
          return callback.apply(this, results);
        } finally {
          asyncEnd.publish(context);
        }
      });
    };
  }

  #failed(context: Context, error: unknown): void {
    context['error'] = error;
    this.error.publish(context);
  }
}
