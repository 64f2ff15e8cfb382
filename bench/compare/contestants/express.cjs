// An Express application, the same source for every implementation: `FRAMEWORK` names the module, `SCENARIO` what it serves.
'use strict';
const scenarios = require('./scenarios.cjs');

const express = require(process.env.FRAMEWORK ?? 'express');
const app = express();
scenarios[process.env.SCENARIO ?? 'hello'](app, express);
const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(`listening ${server.address().port}`));
