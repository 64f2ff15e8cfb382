// The same as an ES module, traced by `--import ./instrument.mjs`.
import * as http from 'node:http';
import { createServer } from 'http';
import express from 'express';
import { createApp, createStock } from './app.cjs';

const stock = createStock({ createServer }).listen(0, '127.0.0.1', () => {
  const app = createApp(express, http, `http://127.0.0.1:${stock.address().port}`);
  const server = http.createServer(app).listen(Number(process.env.PORT ?? 3000), () => {
    console.log(`listening on http://localhost:${server.address().port}`);
  });
});
