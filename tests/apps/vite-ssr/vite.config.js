export default {
  appType: 'custom',
  cacheDir: process.env.CACHE_DIR,
  oxc: { jsx: { runtime: 'automatic' } },
  optimizeDeps: { noDiscovery: true, include: [] },
};
