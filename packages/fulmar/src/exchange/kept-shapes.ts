/**
 * What is made for each request, shown to the native host once: QuickJS forgets what properties a kind of
 * object has when its last one is gone, and keeps what it was shown. Nobody above asks the host for it. In
 * Node there is nothing to show.
 */
import { readGlobal } from '../host/globals.ts';

const host = readGlobal('fulmar.host');

/**
 * After so many requests the shapes are shown, 0 for never: the first replies of a process do not pay for
 * what makes later ones cheaper.
 */
export const REQUESTS_BEFORE_SHAPES = host === undefined ? 0 : 16;

/** `samples`: one of each kind. */
export function keepShapes(samples: readonly object[]): void {
  for (const sample of samples) host?.holdShapes(sample);
}
