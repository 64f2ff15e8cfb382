// Many routes without a framework: a table from the path's first segment to the handler, the rest of the path
// is the parameter. `server.cjs` loads it for the scenario `routes`; it is no general router.
'use strict';
const { sendJson, sendText } = require('./exchange.cjs');

function createListener(count) {
  const handlers = new Map();
  for (let route = 0; route < count; route += 1) {
    handlers.set(`route${route}`, (res, name) => sendJson(res, 200, { route, name }));
  }
  return (req, res) => {
    const segments = req.url.split('/');
    const handler = req.method === 'GET' && segments.length === 3 ? handlers.get(segments[1]) : undefined;
    if (handler === undefined) sendText(res, 404, 'Not Found');
    else handler(res, decodeURIComponent(segments[2]));
  };
}

module.exports = { createListener };
