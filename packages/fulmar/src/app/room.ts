/** Waiting for a stream of Node's that has said that it is full. */

interface Filled {
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Until there is room again, or nobody who would take anything. */
export function roomIn(stream: Filled): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stream.off('drain', end);
      stream.off('close', end);
      resolve();
    };
    stream.on('drain', end);
    stream.on('close', end);
  });
}
