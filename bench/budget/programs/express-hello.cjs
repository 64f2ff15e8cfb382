/**
 * The application whose cost is counted: Express's hello, unmodified, run by `fulmar run`.
 * Writes its port without `console`, whose streams would be modules that the application does not need.
 */
'use strict';
const { writeSync } = require('node:fs');
const express = require('express');

const app = express();
app.get('/', (_request, response) => {
  response.json({ message: 'Hello, World!' });
});
const server = app.listen(0, '127.0.0.1', () => writeSync(1, `${server.address().port}\n`));
