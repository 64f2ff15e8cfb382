// An entry that leaves the server to Express.
'use strict';

const { takeRecords } = require('./agent.cjs');
const express = require('express');
const { createApp } = require('./app.cjs');

const server = createApp(express, require('node:http'), takeRecords).listen(Number(process.env.PORT ?? 3000), () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
