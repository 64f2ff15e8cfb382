/**
 * `node:diagnostics_channel`
 */
import { channels } from '../console/channels.ts';
import { invalidArgType } from '../shared/errors.ts';
import { TracingChannel } from './tracing-channel.ts';
import { Channel, channel, isListenedTo, type Listener, type Name } from './channel.ts';

function subscribe(name: Name, subscription: Listener): void {
  channel(name).subscribe(subscription);
}

function unsubscribe(name: Name, subscription: Listener): boolean {
  return channel(name).unsubscribe(subscription);
}

function hasSubscribers(name: Name): boolean {
  return isListenedTo(name);
}

function tracingChannel(nameOrChannels: unknown): TracingChannel {
  if (typeof nameOrChannels !== 'string' && (typeof nameOrChannels !== 'object' || nameOrChannels === null)) {
    throw invalidArgType('nameOrChannels', ['string', 'object', 'TracingChannel'], nameOrChannels);
  }
  return new TracingChannel(nameOrChannels as string);
}

channels.areLoaded = true;

export default { channel, hasSubscribers, subscribe, tracingChannel, unsubscribe, Channel };
