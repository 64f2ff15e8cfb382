import { defineConfig } from 'vite';
import { pathToFileURL } from 'node:url';

export default defineConfig({
  clearScreen: false,
  cacheDir: '.cache',
  server: {
    hmr: { overlay: true },
    watch: { usePolling: true, interval: 50 },
    proxy: { '/api': { target: `http://127.0.0.1:${process.env.PORT}`, rewrite: (path) => path.replace('/api', '/flag.svg') } },
    headers: { 'X-Lighthouse': String(pathToFileURL('/north').protocol) },
  },
});
