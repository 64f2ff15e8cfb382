/** Whether the terminal that a process was started at is still there. */

/** Remembers what is a terminal now; the function it returns says whether that is gone. */
export function isHungUp(): () => boolean {
  const { isatty } = process.getBuiltinModule('node:tty');
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  return () => terminals.length > 0 && terminals.every((descriptor) => !isatty(descriptor));
}
