/**
 * Event streams that are open, by the settings of their app: they have no end of their own, and end when the app
 * stops to listen. Holds none that is over.
 */
interface Streams {
  readonly open: Set<() => void>;
  /** Those that are open have been ended: what is opened on a connection that is still there ends, too. */
  isEnding: boolean;
}

const streams = new WeakMap<object, Streams>();

function of(settings: object): Streams {
  let known = streams.get(settings);
  if (known === undefined) streams.set(settings, (known = { open: new Set(), isEnding: false }));
  return known;
}

/** How to end one; the result takes it from the list. */
export function noteStream(settings: object, end: () => void): () => void {
  const { open, isEnding } = of(settings);
  if (isEnding) queueMicrotask(end);
  else open.add(end);
  return () => void open.delete(end);
}

export function endStreams(settings: object): void {
  const known = of(settings);
  known.isEnding = true;
  for (const end of known.open) end();
}

/** The app has ended, and may listen again. */
export function allowStreams(settings: object): void {
  of(settings).isEnding = false;
}
