import adapter from '@sveltejs/adapter-node';

export default { kit: { adapter: adapter({ precompress: true }), csrf: { checkOrigin: true }, version: { name: 'lighthouse' } } };
