// Gives requests and responses the members of the application that handles them. On our own server they are created
// with the right prototype and nothing happens here; others get their prototype replaced as upstream does, and objects
// that are not made by our http layer get a bridge: their own prototype with Express's members on top.
import { IncomingMessage, ServerResponse } from '../http/index.ts';
import type { Application } from './application-type.ts';

type Constructor = abstract new (...args: never[]) => object;

const isPrototypeOf = Function.prototype.call.bind(Object.prototype.isPrototypeOf) as (
  prototype: object,
  value: object,
) => boolean;

/** A bridge remembers what it stands on, so that another application can build its own on the same ground. */
const foundations = new WeakMap<object, object>();
/** Bridges by Express prototype, then by foundation. */
const bridges = new WeakMap<object, WeakMap<object, Bridge>>();

interface Bridge {
  readonly prototype: object;
  readonly members: number;
}

/** Makes a request and its response the application's. */
export function adopt(app: Application, req: object, res: object): void {
  if (Object.getPrototypeOf(req) !== app.request) adoptOne(req, app.request, IncomingMessage as Constructor);
  if (Object.getPrototypeOf(res) !== app.response) adoptOne(res, app.response, ServerResponse as Constructor);
}

function adoptOne(message: object, wanted: object, Own: Constructor): void {
  const current = Object.getPrototypeOf(message) as object;
  if (isPrototypeOf(Own.prototype as object, message) && !foundations.has(current)) {
    Object.setPrototypeOf(message, wanted);
    return;
  }
  const foundation = foundations.get(current) ?? current;
  const bridge = bridgeFor(wanted, foundation, Own);
  if (bridge !== current) Object.setPrototypeOf(message, bridge);
}

function bridgeFor(wanted: object, foundation: object, Own: Constructor): object {
  let byFoundation = bridges.get(wanted);
  if (byFoundation === undefined) bridges.set(wanted, (byFoundation = new WeakMap()));
  const chain = expressChain(wanted, Own);
  const members = chain.reduce((sum, part) => sum + Reflect.ownKeys(part).length, 0);
  const known = byFoundation.get(foundation);
  // Members added to a prototype later must show: a changed count means the bridge is out of date.
  if (known !== undefined && known.members === members) return known.prototype;
  const prototype = Object.create(foundation) as object;
  for (const part of chain) Object.defineProperties(prototype, withoutConstructor(part));
  foundations.set(prototype, foundation);
  byFoundation.set(foundation, { prototype, members });
  return prototype;
}

/** The prototypes from `express.request` up to the application's, in the order they override each other. */
function expressChain(wanted: object, Own: Constructor): object[] {
  const chain: object[] = [];
  let part: object | null = wanted;
  while (part !== null && part !== Own.prototype && part !== Object.prototype) {
    chain.unshift(part);
    part = Object.getPrototypeOf(part) as object | null;
  }
  return chain;
}

function withoutConstructor(part: object): PropertyDescriptorMap {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(part);
  delete descriptors.constructor;
  return descriptors;
}
