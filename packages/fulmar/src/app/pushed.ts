/**
 * What a function sends, one piece at a time, as an iterable: `send` resolves when its piece has been taken. Of
 * streams and server-sent events; it knows neither.
 */

/** Pieces that wait because nobody awaits `send()`. */
const WAITING_MAX = 16_384;

export type Send<Piece> = (piece: Piece) => Promise<void>;

interface Waiting<Piece> {
  readonly piece: Piece;
  readonly taken: () => void;
  readonly rejected: (reason: unknown) => void;
}

/** Ends when `run` has; when `signal` fires, what waits is rejected with its reason. */
export async function* pushed<Piece>(signal: AbortSignal, run: (send: Send<Piece>) => unknown): AsyncGenerator<Piece> {
  const waiting: Waiting<Piece>[] = [];
  let wake: () => void = () => {};
  let taking: Waiting<Piece> | undefined;
  let isOver = false;
  let failure: { error: unknown } | null = null;
  const send: Send<Piece> = (piece) =>
    new Promise<void>((taken, rejected) => {
      if (signal.aborted) rejected(signal.reason as Error);
      else if (waiting.length >= WAITING_MAX)
        rejected(new RangeError(`${WAITING_MAX} pieces wait to be taken: await what send() returns.`));
      else {
        waiting.push({ piece, taken, rejected });
        wake();
      }
    });
  // One listener, however much is sent: a stream may live for days.
  const leave = (): void => {
    for (const { rejected } of waiting.splice(0)) rejected(signal.reason);
    wake();
  };
  signal.addEventListener('abort', leave, { once: true });
  void Promise.resolve(send)
    .then(run)
    .catch((error: unknown) => void (failure = { error }))
    .finally(() => {
      isOver = true;
      wake();
    });
  try {
    while (!signal.aborted) {
      taking = waiting.shift();
      if (taking !== undefined) {
        yield taking.piece;
        taking.taken();
      } else if (isOver) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', leave);
    // The piece that was handed out last as well, where nobody came for more; of what was taken it changes nothing.
    const reason: unknown = signal.aborted ? signal.reason : new Error('Nobody takes what is sent any more.');
    for (const { rejected } of [...(taking === undefined ? [] : [taking]), ...waiting.splice(0)]) rejected(reason);
  }
  const failed = failure as { error: unknown } | null;
  if (failed !== null && !signal.aborted) throw failed.error;
}
