// npm's Express, unmodified, with `http` answered by `fulmar/http`: what `fulmar run` does for a framework it has no own version of.
'use strict';
const Module = require('node:module');
const http = require('fulmar/http');

const load = Module._load;
Module._load = function loadMapped(request, parent, isMain) {
  return request === 'http' || request === 'node:http' ? http : load.call(this, request, parent, isMain);
};
require('./express.cjs');
