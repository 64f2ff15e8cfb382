// Hono on Bun, which serves what the default export describes. It serves the application of `app.mjs` and
// knows no scenario.
import { createApp } from './app.mjs';

const { fetch } = await createApp(() => import('hono/bun'));

export default { port: Number(process.env.PORT), hostname: '127.0.0.1', fetch };
