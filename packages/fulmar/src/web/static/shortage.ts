/**
 * The last descriptors of the system are not for files of replies: without them neither a part of ours nor
 * one of the application's can be loaded when it is first used, and what cannot be loaded may end the
 * process. Such a file fails as one for which there are none at all.
 */
import type { ReadStream } from 'node:fs';
import { constants } from 'node:os';
import { hasDescriptors } from '../../http/index.ts';

/** Options with which a stream opens no file of the system's. */
const OWN_SOURCES = ['fd', 'fs'];

/** Streams that have asked for their descriptor and have none yet. */
let opening = 0;

export function isShort(options: object): boolean {
  return !hasDescriptors(opening + 1) && !OWN_SOURCES.some((name) => name in options);
}

/**
 * Counts a stream until its file is open, or until the function that is returned is called, however often.
 */
export function noteOpening(stream: ReadStream): () => void {
  let isOpening = true;
  opening += 1;
  const opened = (): void => {
    if (isOpening) opening -= 1;
    isOpening = false;
  };
  stream.once('open', opened);
  return opened;
}

/** What Node says when the system has no descriptor for a file. */
export function shortageError(path: string): NodeJS.ErrnoException {
  const error = new Error(`EMFILE: too many open files, open '${path}'`);
  error.stack = String(error); // As errors of the system have it.
  return Object.assign(error, { errno: -constants.errno.EMFILE, code: 'EMFILE', syscall: 'open', path });
}
