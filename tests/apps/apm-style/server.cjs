// The CommonJS entry; monitored when the agent is loaded before it, here at the latest.
'use strict';

const { takeRecords } = require('./agent.cjs');
const http = require('http');
const express = require('express');
const { createApp } = require('./app.cjs');

const app = createApp(express, http, takeRecords);
const server = http.createServer(app);
server.listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
