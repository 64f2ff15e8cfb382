/** What goes between the proxy and who asks the upstream for it: Node's client, or the web's `fetch`. Types only. */
import type { AnyContext } from '../context.ts';

export interface UpstreamRequest {
  readonly c: AnyContext;
  /** Origin and path. */
  readonly url: URL;
  /** By name as it came; of several lines all. */
  readonly headers: ReadonlyMap<string, readonly [name: string, values: readonly string[]]>;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** The number of connections to one upstream. */
  readonly connectionsMax: number;
}

export interface UpstreamReply {
  readonly status: number;
  /** `[name, value, …]` */
  readonly rawHeaders: readonly string[];
  /** Null: none. */
  readonly content: AsyncIterable<Uint8Array> | null;
  /** Bytes; -1: unknown. */
  readonly length: number;
}

export type Send = (request: UpstreamRequest) => Promise<UpstreamReply>;
