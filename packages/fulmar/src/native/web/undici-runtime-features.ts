/**
 * What undici asks its runtime for: `node:crypto` is there; SQLite, worker threads and zstd are not used.
 */
export const runtimeFeatures = {
  has: (feature: string): boolean => feature === 'crypto',
  set: (): void => {},
  clear: (): void => {},
};
