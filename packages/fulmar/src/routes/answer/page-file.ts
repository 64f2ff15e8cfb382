/**
 * A file that is served as it is (`.html`, `.md`, `.json`): with its type, its tag, ranges and 304.
 */
import type { AnyContext } from '../../app/index.ts';

/** `file`: absolute, below the folder of routes. */
export const pageHandler =
  (file: string): ((c: AnyContext) => unknown) =>
  (c) =>
    c.file(file);
