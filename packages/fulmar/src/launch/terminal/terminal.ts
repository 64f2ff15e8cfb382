/** Whether a process was started at a terminal, and whether that is still there. */
import { fstatSync } from 'node:fs';

/** Named by number: `process.stderr` would be made for the question. */
const STANDARD_ERROR = 2;

/**
 * Does somebody read standard error at a terminal? Where that is a pipe or a file, `node:tty` is not loaded
 * to find out.
 *
 * `bigint`, because Node's `realpathSync` looks into the numbers of whatever `stat` came last: those of a
 * pipe make it give up, and ES modules below a symbolic link are then loaded under the link's name (Node 20).
 */
export function isAtTerminal(): boolean {
  try {
    return fstatSync(STANDARD_ERROR, { bigint: true }).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(STANDARD_ERROR);
  } catch {
    // It is closed.
    return false;
  }
}

/** Remembers what is a terminal now; the function it returns says whether that is gone. */
export function isHungUp(): () => boolean {
  const { isatty } = process.getBuiltinModule('node:tty');
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  return () => terminals.length > 0 && terminals.every((descriptor) => !isatty(descriptor));
}
