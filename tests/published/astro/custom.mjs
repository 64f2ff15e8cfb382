// Astro's handler in an Express server, as the guide of @astrojs/node has it.
import express from 'express';
import { fileURLToPath } from 'node:url';
import { handler } from './site/dist-handler/server/entry.mjs';

const app = express();
app.use(express.static(fileURLToPath(new URL('site/dist-handler/client', import.meta.url))));
app.use(handler);
app.listen(Number(process.env.PORT), '127.0.0.1');
