// Hono on Node.js, through @hono/node-server. It serves the application of `app.mjs` and knows no scenario.
import { serve } from '@hono/node-server';
import { createApp } from './app.mjs';

const { fetch } = await createApp(() => import('@hono/node-server/serve-static'));

serve({ fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
