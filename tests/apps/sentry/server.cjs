// The CommonJS entry.
'use strict';

require('./instrument.cjs');
const Sentry = require('@sentry/node');
const http = require('node:http');
const express = require('express');
const { createApp } = require('./app.cjs');

const server = createApp(express, http, Sentry).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
