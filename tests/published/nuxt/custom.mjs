// Nuxt's handler in an Express server, as the guide of Nitro's preset `node` has it.
import express from 'express';
import { listener } from './site/.output-node/server/index.mjs';

const app = express();
app.get('/own', (_req, res) => res.json({ own: true }));
app.use(listener);
app.listen(Number(process.env.PORT), '127.0.0.1');
