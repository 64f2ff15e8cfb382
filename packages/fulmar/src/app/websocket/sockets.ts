/**
 * What an app has of WebSockets and topics, loaded with its first of either. The sockets themselves come later
 * still (`upgrade.ts`).
 */
import { type Hub, hubOf, publishIn } from './hub.ts';
import type { Scope } from '../scope.ts';
import { socketRoute } from './socket-route.ts';
import type { PublishOptions } from './socket-types.ts';
import { subscribeTo, type SubscribeOptions, type Subscription } from './subscription.ts';
import type { Subscriber } from './topics.ts';

/** Those of the apps that serve: this one, or whichever it is part of. */
function hubsOf({ settings, parents }: Scope): readonly Hub[] {
  if (parents.length === 0) return [hubOf(settings)];
  return [...new Set(parents.flatMap(({ scope }) => hubsOf(scope)))];
}

function publish(scope: Scope, topic: string, message: unknown, { except = [] }: PublishOptions = {}): number {
  return publishIn(hubsOf(scope), topic, message, new Set([except].flat() as unknown as Subscriber[]));
}

const subscribe = (scope: Scope, topics: string | readonly string[], options: SubscribeOptions): Subscription =>
  subscribeTo(hubsOf(scope), topics, options);

const sum = (scope: Scope, of: (hub: Hub) => number): number => hubsOf(scope).reduce((total, hub) => total + of(hub), 0);
const subscriberCount = (scope: Scope, topic: string): number => sum(scope, ({ topics }) => topics.count(topic));
const socketCount = (scope: Scope): number => sum(scope, ({ members }) => members.size);

export default { hubOf, publish, socketCount, socketRoute, subscribe, subscriberCount };
