// The same as an ES module, with `--import ./instrument.mjs`.
import * as Sentry from '@sentry/node';
import * as http from 'node:http';
import express from 'express';
import { createApp } from './app.cjs';

const server = createApp(express, http, Sentry).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
