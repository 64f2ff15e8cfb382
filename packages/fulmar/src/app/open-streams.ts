/**
 * Event streams that are open, by the settings of their app: they have no end of their own, and end when the app
 * stops to listen. Holds none that is over.
 */
const streams = new WeakMap<object, Set<() => void>>();

/** How to end one; the result takes it from the list. */
export function noteStream(settings: object, end: () => void): () => void {
  let open = streams.get(settings);
  if (open === undefined) streams.set(settings, (open = new Set()));
  open.add(end);
  return () => void open.delete(end);
}

export function endStreams(settings: object): void {
  for (const end of streams.get(settings) ?? []) end();
}
