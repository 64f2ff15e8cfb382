// The entry as an ES module, monitored by `--import ./agent.mjs`.
import http, { createServer } from 'node:http';
import express from 'express';
import { takeRecords } from './agent.cjs';
import { createApp } from './app.cjs';

const app = createApp(express, http, takeRecords);
app.get('/imported', (_req, res) => res.json(globalThis.imported));
const server = createServer({ keepAlive: true }, app).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
