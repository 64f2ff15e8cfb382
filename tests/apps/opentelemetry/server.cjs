// The CommonJS entry; traced when `instrument.cjs` is loaded before it, here at the latest.
'use strict';

require('./instrument.cjs');
const http = require('http');
const express = require('express');
const { createApp, createStock } = require('./app.cjs');

const stock = createStock(http).listen(0, '127.0.0.1', () => {
  const app = createApp(express, http, `http://127.0.0.1:${stock.address().port}`);
  const server = app.listen(Number(process.env.PORT ?? 3000), () => {
    console.log(`listening on http://localhost:${server.address().port}`);
  });
});
