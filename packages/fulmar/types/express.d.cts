/**
 * What `require('fulmar/express')` is: the function itself, with Express's namespace (`express.Request` …). Types only: those of the project's
 * `@types/express` (`npm install -D @types/express@5`).
 */
import express = require('express');
export = express;
