/**
 * What `require('fulmar/express4')` is: the function itself, with Express's namespace (`express.Request` …). Types only: those of the
 * project's `@types/express`, which it installs in version 4 (`npm install -D @types/express@4`).
 */
import express = require('express');
export = express;
