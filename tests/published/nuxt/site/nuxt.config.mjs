const preset = process.argv.includes('node') ? 'node' : 'node-server';

export default defineNuxtConfig({
  compatibilityDate: '2025-07-15',
  telemetry: false,
  nitro: { output: { dir: `.output-${preset}` } },
  routeRules: { '/old': { redirect: '/birds' }, '/birds': { headers: { 'X-Lighthouse': 'north' } } },
});
