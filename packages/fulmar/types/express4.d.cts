// What `require('fulmar/express4')` is: the function itself, with Express's namespace (`express.Request` …). Types only.
import express = require('express4');
export = express;
