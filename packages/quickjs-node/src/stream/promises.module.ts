/**
 * `node:stream/promises`
 */
import './classes.later.ts';
import later from 'fulmar:later';
import endOfStream from 'readable-stream/lib/internal/streams/end-of-stream';
import utils from 'readable-stream/lib/internal/streams/utils';
import type { Extras } from './extras.later.ts';

function isOptions(value: unknown): value is { signal?: AbortSignal; end?: boolean } {
  return typeof value === 'object' && value !== null && !utils.isNodeStream(value) && !utils.isIterable(value) && !utils.isWebStream(value);
}

function pipeline(...streams: unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const last = streams.at(-1);
    const options = isOptions(last) ? (streams.pop() as typeof last) : {};
    const done = (error: unknown, value: unknown) => (error ? reject(error as Error) : resolve(value));
    (later<typeof import('./extras.later.ts')>() as Extras).pipelineOf(streams, done as never, {
      signal: options.signal,
      end: options.end,
    });
  });
}

const finished = endOfStream.finished as (stream: unknown, options?: object) => Promise<void>;

export default { finished, pipeline };
