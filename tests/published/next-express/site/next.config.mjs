export default {
  generateBuildId: () => 'lighthouse',
  outputFileTracingRoot: import.meta.dirname,
  redirects: async () => [{ source: '/old', destination: '/about', permanent: true }],
  rewrites: async () => [{ source: '/rewritten/:id', destination: '/api/echo?id=:id' }],
  headers: async () => [{ source: '/about', headers: [{ key: 'X-Lighthouse', value: 'north' }] }],
};
