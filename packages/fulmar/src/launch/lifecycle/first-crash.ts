/**
 * Of workers that all fail alike while they start, one shows the error and the others end without a word.
 *
 * A worker that dies of an error can ask nobody and wait. So all of them share an open file of one byte,
 * which has no name any more, and its position with it: who reads the byte may tell. Two bytes mean that a
 * worker has served, and that everybody may.
 */
import { fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The descriptor in a worker: behind the three streams and the channel. */
const DESCRIPTOR = 4;
/** In a worker's environment; removed before the application starts. */
export const FIRST_CRASH_VARIABLE = 'FULMAR_FIRST_CRASH';

let isGuarded = false;

/** The primary's end: made before the first worker. */
export interface FirstCrash {
  /**
   * Given to each worker as its fifth stream; `undefined` where no file can be made, so that each worker
   * tells.
   */
  readonly descriptor: number | undefined;
  /** A worker has served: from now on each tells its own end. */
  letAllTell(): void;
}

export function openFirstCrash(): FirstCrash {
  const descriptor = openNameless();
  return {
    descriptor,
    letAllTell: () => {
      if (descriptor !== undefined) writeSync(descriptor, 'x', 1);
    },
  };
}

function openNameless(): number | undefined {
  const { tmpdir } = process.getBuiltinModule('node:os');
  const file = join(tmpdir(), `fulmar-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    const descriptor = openSync(file, 'wx+', 0o600);
    unlinkSync(file);
    writeSync(descriptor, 'x', 0);
    return descriptor;
  } catch {
    return undefined;
  }
}

/** In a worker, before the application starts. */
export function takeFirstCrash(): void {
  isGuarded = process.env[FIRST_CRASH_VARIABLE] !== undefined;
  delete process.env[FIRST_CRASH_VARIABLE];
}

/** Does the error of this worker have to be shown here? */
export function mayTell(): boolean {
  if (!isGuarded) return true;
  try {
    return fstatSync(DESCRIPTOR).size > 1 || readSync(DESCRIPTOR, Buffer.alloc(1), 0, 1, null) === 1;
  } catch {
    return true;
  }
}
