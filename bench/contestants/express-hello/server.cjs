// One route of Express 5, as expressjs.com's "Hello world" has it, with an object as reply: what starts and
// rests, measured alone. The other scenarios are those of `express5`.
'use strict';
const express = require('express');

const app = express();
app.get('/', (req, res) => {
  res.json({ message: 'Hello, World!' });
});
app.listen(Number(process.env.PORT), '127.0.0.1');
