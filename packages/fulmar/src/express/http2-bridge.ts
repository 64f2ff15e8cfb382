/**
 * Bridges: what Node's HTTP/2 messages get for a prototype, with an application's members on top of their
 * own. Loaded by the first such message.
 */
import { IncomingMessage, ServerResponse } from '../http/index.ts';
import type { Application } from './application-types.ts';

/** A bridge remembers what it stands on, so that another application can build its own on the same ground. */
const foundations = new WeakMap<object, object>();
/** Bridges by Express prototype, then by foundation. */
const bridges = new WeakMap<object, WeakMap<object, Bridge>>();

interface Bridge {
  readonly prototype: object;
  readonly members: number;
}

/** Makes a request of HTTP/2 and its response the application's. */
export function bridge(app: Application, req: object, res: object): void {
  Object.setPrototypeOf(req, bridgeFor(app.request, req, IncomingMessage.prototype));
  Object.setPrototypeOf(res, bridgeFor(app.response, res, ServerResponse.prototype));
}

function bridgeFor(wanted: object, message: object, base: object): object {
  const current = Object.getPrototypeOf(message) as object;
  const foundation = foundations.get(current) ?? current;
  let byFoundation = bridges.get(wanted);
  if (byFoundation === undefined) bridges.set(wanted, (byFoundation = new WeakMap()));
  const chain = expressChain(wanted, base);
  const members = chain.reduce((sum, part) => sum + Reflect.ownKeys(part).length, 0);
  const known = byFoundation.get(foundation);
  // Members added to a prototype later must show: a changed count means the bridge is out of date.
  if (known !== undefined && known.members === members) return known.prototype;
  const prototype = Object.create(foundation) as object;
  for (const part of chain) Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(part));
  foundations.set(prototype, foundation);
  byFoundation.set(foundation, { prototype, members });
  return prototype;
}

/**
 * The prototypes from `express.request` (or `response`) up to the application's, in the order they override
 * each other.
 */
function expressChain(wanted: object, base: object): object[] {
  const chain: object[] = [];
  let part: object | null = wanted;
  while (part !== null && part !== base && part !== Object.prototype) {
    chain.unshift(part);
    part = Object.getPrototypeOf(part) as object | null;
  }
  return chain;
}
