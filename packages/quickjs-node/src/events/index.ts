/** `node:events` */
import later from 'fulmar:later';
import { invalidArgType } from '../shared/errors.ts';
import { validateNumber } from '../shared/validators.ts';
import { defineLazily } from '../shared/lazy-property.ts';
import {
  capturesByDefault,
  type Emitter,
  errorMonitor,
  EventEmitter,
  type Listener,
  maxListenersDefault,
  maxListenersOf,
  rejection,
  setMaxListenersDefault,
} from './emitter.ts';

const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');

type Target = Partial<Emitter> & { [kMaxEventTargetListeners]?: number; [kMaxEventTargetListenersWarned]?: boolean };

function isEventTarget(value: unknown): boolean {
  return typeof EventTarget === 'function' && value instanceof EventTarget;
}

function neither(value: unknown, name = 'emitter'): Error {
  return invalidArgType(name, ['EventEmitter', 'EventTarget'], value);
}

function setMaxListeners(n: number = maxListenersDefault(), ...eventTargets: Target[]): void {
  validateNumber(n, 'setMaxListeners', 0);
  if (eventTargets.length === 0) setMaxListenersDefault(n, 'setMaxListeners');
  for (const target of eventTargets) {
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      throw neither(target, 'eventTargets');
    }
  }
}

function getMaxListeners(target: Target): number {
  if (typeof target?.getMaxListeners === 'function') return maxListenersOf(target as Emitter);
  if (isEventTarget(target)) return target[kMaxEventTargetListeners] ?? maxListenersDefault();
  throw neither(target);
}

interface Observable {
  listeners?(name: string | symbol): Listener[];
  listenerCount?(name: string | symbol): number;
}

function getEventListeners(emitterOrTarget: Observable, type: string | symbol): Listener[] {
  if (typeof emitterOrTarget.listeners === 'function') return emitterOrTarget.listeners(type);
  throw neither(emitterOrTarget);
}

function listenerCount(emitterOrTarget: Observable, type: string | symbol): number {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  throw neither(emitterOrTarget);
}

defineLazily(EventEmitter, ['addAbortListener', 'once', 'on'], true, (name) => later<typeof import('./async.later.ts')>()[name]);
Object.assign(EventEmitter, {
  getEventListeners,
  getMaxListeners,
  listenerCount,
  EventEmitter,
  usingDomains: false,
  captureRejectionSymbol: rejection,
  errorMonitor,
  setMaxListeners,
});
Object.defineProperties(EventEmitter, {
  captureRejections: {
    get: () => capturesByDefault(),
    set(value: unknown) {
      capturesByDefault(value ?? null);
    },
    enumerable: true,
  },
  defaultMaxListeners: {
    get: maxListenersDefault,
    set(value: unknown) {
      setMaxListenersDefault(value, 'defaultMaxListeners');
    },
    enumerable: true,
  },
  EventEmitterAsyncResource: {
    get: () => later<typeof import('./async-resource.later.ts')>().EventEmitterAsyncResource,
    enumerable: true,
    configurable: true,
  },
  kMaxEventTargetListeners: { value: kMaxEventTargetListeners },
  kMaxEventTargetListenersWarned: { value: kMaxEventTargetListenersWarned },
});

export default EventEmitter;
