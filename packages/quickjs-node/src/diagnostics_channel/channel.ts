/**
 * Channels of `node:diagnostics_channel`: messages by name, for whoever subscribes.
 */
import later from 'fulmar:later';
import { invalidArgType } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';

const { uncaught } = later<typeof import('../start/setup.ts')>();

export type Name = string | symbol;
export type Listener = (message: unknown, name: Name) => void;
type Transform = (message: unknown) => unknown;

interface Store {
  run(value: unknown, callback: () => unknown): unknown;
}

const channels = new Map<Name, Channel>();

/** A subscriber's error is uncaught, but does not disturb the publisher. */
function throwLater(error: unknown): void {
  process.nextTick(() => uncaught(error));
}

export class Channel {
  readonly name: Name;
  /** Never changed in place: publishing goes on with the list it began with. */
  _subscribers: readonly Listener[] = [];
  _stores: Map<Store, Transform | undefined> | undefined;
  /** A getter in Node; several for each request would be felt here. */
  hasSubscribers = false;

  constructor(name: Name) {
    this.name = name;
    channels.set(name, this);
  }

  subscribe(subscription: Listener): void {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...this._subscribers, subscription];
    this._noteChange();
  }

  unsubscribe(subscription: Listener): boolean {
    const at = this._subscribers.indexOf(subscription);
    if (at === -1) return false;
    this._subscribers = this._subscribers.toSpliced(at, 1);
    this._noteChange();
    return true;
  }

  bindStore(store: Store, transform?: Transform): void {
    this._stores ??= new Map();
    this._stores.set(store, transform);
    this._noteChange();
  }

  unbindStore(store: Store): boolean {
    const removed = this._stores?.delete(store) ?? false;
    if (this._stores?.size === 0) this._stores = undefined;
    this._noteChange();
    return removed;
  }

  private _noteChange(): void {
    this.hasSubscribers = this._subscribers.length > 0 || this._stores !== undefined;
  }

  publish(message: unknown): void {
    for (const subscriber of this._subscribers) {
      try {
        subscriber(message, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  /** Calls `fn` with the bound stores set, after publishing within them. */
  runStores(message: unknown, fn: (...args: never[]) => unknown, thisArg?: unknown, ...args: unknown[]): unknown {
    let run = (): unknown => {
      this.publish(message);
      return fn.apply(thisArg, args as never[]);
    };
    for (const [store, transform] of this._stores ?? []) {
      const inner = run;
      run = () => {
        let value = message;
        try {
          if (transform !== undefined) value = transform(message);
        } catch (error) {
          throwLater(error);
          return inner();
        }
        return store.run(value, inner);
      };
    }
    return run();
  }
}

export function channel(name: Name): Channel {
  const known = channels.get(name);
  if (known !== undefined) return known;
  if (typeof name !== 'string' && typeof name !== 'symbol') throw invalidArgType('channel', ['string', 'symbol'], name);
  return new Channel(name);
}

/** A channel that exists and is listened to; asking does not make one. */
export function isListenedTo(name: Name): boolean {
  return channels.get(name)?.hasSubscribers ?? false;
}
