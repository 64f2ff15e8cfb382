/** The page. While it is developed, what is not its own is asked of the server that `dev.mjs` starts beside it. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['API_URL'] ?? 'http://localhost:3000';

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist/page', assetsInlineLimit: 0 },
  server: { proxy: { '/api': server, '/photos': server } },
});
