// The application whose start is timed: plain `express`, as a user writes it.
'use strict';
const express = require('express');

const app = express();
app.get('/', (req, res) => {
  res.json({ hello: 'world' });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
