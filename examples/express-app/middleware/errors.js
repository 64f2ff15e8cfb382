/** The end of the chain: 404 and every error, as a page or as JSON, whichever the client prefers. */
import { STATUS_CODES } from 'node:http';
import multer from 'multer';

const MULTER_STATUS = { LIMIT_FILE_SIZE: 413, LIMIT_UNEXPECTED_FILE: 400, LIMIT_FILE_COUNT: 400 };

export function renderNotFound(req, res) {
  answer(req, res, { status: 404, message: `There is nothing at ${req.path}` });
}

// Express tells an error handler by its four parameters.
export function renderError(error, req, res, next) {
  // The head is out: the only honest thing left is to break the connection, which Express's own handler does.
  if (res.headersSent) return next(error);
  const status = statusOf(error);
  if (status >= 500) console.error(`${req.method} ${req.originalUrl} failed:`, error);
  // What went wrong inside stays inside.
  const message = status < 500 ? error.message : 'Something went wrong on our side';
  answer(req, res, { status, message, fields: error.fields });
}

function statusOf(error) {
  const status = error instanceof multer.MulterError ? (MULTER_STATUS[error.code] ?? 400) : (error.status ?? error.statusCode);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : 500;
}

function answer(req, res, { status, message, fields }) {
  const name = STATUS_CODES[status];
  const html = () => res.render('error', { page: name, status, name, message, requestId: req.id });
  const json = () => res.json({ error: message, status, fields, requestId: req.id });
  const text = () => res.type('text').send(`${status} ${name}: ${message}\n`);
  // The first entry answers a client that takes anything.
  const isApi = /^\/api(\/|$)/.test(req.originalUrl);
  res.status(status).format(isApi ? { json, html, default: text } : { html, json, default: text });
}
