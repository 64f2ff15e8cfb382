/**
 * What `readable-stream` takes as `process`. `pipe` does not end the standard streams, so it must know them,
 * but only once they exist.
 */
export const nextTick = process.nextTick;

export let stdout: NodeJS.WritableStream | undefined;
export let stderr: NodeJS.WritableStream | undefined;

export function setStandardStream(fd: 1 | 2, stream: NodeJS.WritableStream): void {
  if (fd === 1) stdout = stream;
  else stderr = stream;
}
