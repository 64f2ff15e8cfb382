// An application that is traced: it loads nothing of the tracer but what tells of the spans.
'use strict';

const tracer = require('./tracer.cjs');
const express = require('express');

const app = express();
const inner = express.Router();
inner.get('/:id', (req, res) => res.json(req.params));
inner.get('/fail/:id', (req, res, next) => next(new Error('failed')));
app.use('/inner', inner);
app.get('/', (req, res) => res.send('plain'));
app.get('/spans', (req, res) => res.send(tracer.take()));
app.use(function onError(err, req, res, next) {
  res.status(500).json({ error: err.message });
  void next;
});

const server = app.listen(process.env.PORT, '127.0.0.1', () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
