/**
 * `node:diagnostics_channel`
 */
import internal from 'fulmar:internal';
import { channels } from '../console/channels.ts';
import { invalidArgType } from '../errors.ts';
import type * as Tracing from '../lazy/tracing-channel.ts';
import { Channel, channel, isListenedTo, type Listener, type Name } from '../async/channel.ts';

function subscribe(name: Name, subscription: Listener): void {
  channel(name).subscribe(subscription);
}

function unsubscribe(name: Name, subscription: Listener): boolean {
  return channel(name).unsubscribe(subscription);
}

function hasSubscribers(name: Name): boolean {
  return isListenedTo(name);
}

function tracingChannel(nameOrChannels: unknown): Tracing.TracingChannel {
  if (typeof nameOrChannels !== 'string' && (typeof nameOrChannels !== 'object' || nameOrChannels === null)) {
    throw invalidArgType('nameOrChannels', ['string', 'object', 'TracingChannel'], nameOrChannels);
  }
  const { TracingChannel } = internal('lazy/tracing-channel.cjs') as typeof Tracing;
  return new TracingChannel(nameOrChannels as string);
}

channels.areLoaded = true;

export default { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, Channel };
