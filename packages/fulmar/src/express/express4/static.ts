// `express.static` of version 4 (F… in docs/internals/express4.md).
export { serveStatic } from '../static/serve-static.ts';
