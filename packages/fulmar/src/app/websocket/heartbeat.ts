/**
 * Pings that keep proxies from taking a socket for a dead one, and the end of a peer that answers none. Any
 * byte that comes is a sign of life, also that of a long message on its way.
 */
export interface Heart {
  readonly bytesRead: number;
  /** The connection is not read at present: its peer may have said what it likes. */
  readonly isPaused: boolean;
  ping(): void;
  /** Called when nothing came for so long. */
  terminate(): void;
}

/** Returns what stops it. `heartbeatMs` is above 0. */
export function beat(heart: Heart, { heartbeatMs, timeoutMs }: { readonly heartbeatMs: number; readonly timeoutMs: number }): () => void {
  let { bytesRead } = heart;
  let heardAt = performance.now();
  const timer = setInterval(
    () => {
      const now = performance.now();
      if (heart.bytesRead !== bytesRead || heart.isPaused) {
        ({ bytesRead } = heart);
        heardAt = now;
      }
      if (now - heardAt >= timeoutMs) heart.terminate();
      else heart.ping();
    },
    Math.min(heartbeatMs, timeoutMs),
  );
  // A server's socket keeps the process by itself.
  timer.unref?.();
  return () => clearInterval(timer);
}
