// What `require('fulmar/express')` is: the function itself, with Express's namespace (`express.Request` …). Types only.
import express = require('express');
export = express;
