/**
 * An event as it stands in a stream (the HTML standard, 9.2.6): what a line break in it would say otherwise is
 * refused or divided.
 */
import { toJson } from './json.ts';
import { isCount, shown } from './checked-options.ts';

export interface ServerEvent {
  /** A string as it is, anything else as JSON. Without it clients are told of the event alone. */
  readonly data?: unknown;
  readonly event?: string;
  readonly id?: string;
  /** After how long the client connects again, in ms. */
  readonly retry?: number;
  /** For people who read the stream: clients do not see it. */
  readonly comment?: string;
}

/** @throws TypeError for an id or name with a line break in it, and for what JSON has no form of */
export function eventText(event: ServerEvent | string): string {
  if (typeof event === 'string') return `${lines('data', event)}\n`;
  if (typeof event !== 'object' || event === null)
    throw new TypeError(`An event is a text or an object such as { data, event, id }, and this is ${shown(event)}.`);
  const { comment, retry, data } = event;
  let text = comment === undefined ? '' : lines('', comment);
  for (const name of ['event', 'id'] as const) {
    const value = event[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || /[\r\n\0]/.test(value))
      throw new TypeError(`The ${name} of an event is one line of text, and this is ${shown(value)}.`);
    text += `${name}: ${value}\n`;
  }
  if (retry !== undefined) text += retryText(retry);
  if (data !== undefined) text += lines('data', typeof data === 'string' ? data : toJson(data));
  // An event without data is not told at all.
  else if (event.event !== undefined) text += 'data:\n';
  return `${text}\n`;
}

/** @throws TypeError for what is no time */
export function retryText(ms: number): string {
  if (!isCount(0, ms)) throw new TypeError(`The time after which a client connects again is in ms, and this is ${shown(ms)}.`);
  return `retry: ${ms}\n`;
}

const lines = (name: string, value: string): string => value.split(/\r\n|\r|\n/).reduce((text, line) => `${text}${name}: ${line}\n`, '');
