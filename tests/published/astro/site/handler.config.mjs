import node from '@astrojs/node';
import own from './astro.config.mjs';

export default { ...own, adapter: node({ mode: 'middleware' }), outDir: 'dist-handler' };
