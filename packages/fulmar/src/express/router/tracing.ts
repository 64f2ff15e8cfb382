/**
 * The `express.router.request` tracing channel: what upstream's router publishes about each handler while
 * somebody listens. Whether somebody does is asked for every handler; what happens then is in trace.ts.
 */
import dc from 'node:diagnostics_channel';
import type { TraceContext } from './trace.ts';

export const channel = dc.tracingChannel<object, TraceContext>('express.router.request');
const { start, end, asyncStart, asyncEnd, error } = channel;

/** Whether anybody listens. */
export function isTraced(): boolean {
  return start.hasSubscribers || end.hasSubscribers || asyncStart.hasSubscribers || asyncEnd.hasSubscribers || error.hasSubscribers;
}
