/**
 * What undici asks its runtime for: `node:crypto` and zstd are there; SQLite and worker threads are not used.
 */
export const runtimeFeatures = {
  has: (feature: string): boolean => feature === 'crypto' || feature === 'zstd',
  set: (): void => {},
  clear: (): void => {},
};
