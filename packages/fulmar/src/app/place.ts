/**
 * Where in the application a route was registered, for errors and lists: `file:line`.
 */

/** Frames of this package's: of its bundles, or of its sources in tests. */
const OURS = /[\\/](?:dist[\\/](?:lib-)?app\.[cm]js|fulmar[\\/]src[\\/]app[\\/])/;
const FRAME = /(?:\(|at (?:async )?|@)((?:file:\/\/)?[^\s()]+):(\d+):\d+\)?$/;

export function callerPlace(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 12;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of stack.split('\n')) {
    const [, file, at] = FRAME.exec(line.trim()) ?? [];
    if (file !== undefined && !OURS.test(file)) return `${file.replace(/^file:\/\//, '')}:${at}`;
  }
  return undefined;
}
