/**
 * Version 4's `res.send` and what ends in it: a status may stand beside the body, or in its place (S… in
 * docs/internals/express4.md). Below that it is version 5's code.
 */
import depd from 'depd';
import statuses from 'statuses';
import { setKnownType } from '../fast-path.ts';
import { sendJsonp } from '../jsonp.ts';
import type { ExpressResponse } from '../message-types.ts';
import { finish, sendJson, type SendRules, sendTyped } from '../response-send.ts';
import { withUtf8 } from './media-types.ts';
import { headerMembers } from './response-headers.ts';

// The name and the place of these calls are what `depd` prints: the first caller outside this file.
const deprecate = depd('express');

const rules: SendRules = {
  set: headerMembers.set,
  measuresChunked: true, // S4
  setTextType(res) {
    if (!res.get('Content-Type')) res.type('html');
    completeCharset(res);
  },
  setNotModified(res) {
    res.statusCode = 304;
  },
};

/** S3: the charset of a type that is there already. */
function completeCharset(res: ExpressResponse): void {
  const type = res.get('Content-Type');
  if (typeof type !== 'string') return;
  const complete = withUtf8(type);
  if (res.set !== rules.set) res.set('Content-Type', complete);
  // A complete type is set all the same: the field's name is spelt as here from now on, and a setHeader in
  // front is told.
  else setKnownType(res, complete);
}

// S1: a status beside the body or in its place, here, in `json` and in `jsonp`.
function send(this: ExpressResponse, body?: unknown): ExpressResponse {
  let chunk = body;
  if (arguments.length === 2) {
    const second: unknown = arguments[1];
    if (typeof body !== 'number' && typeof second === 'number') {
      deprecate('res.send(body, status): Use res.status(status).send(body) instead');
      this.statusCode = second;
    } else {
      deprecate('res.send(status, body): Use res.status(status).send(body) instead');
      this.statusCode = body as number;
      chunk = second;
    }
  } else if (typeof chunk === 'number' && arguments.length === 1) {
    if (!this.get('Content-Type')) this.type('txt');
    deprecate('res.send(status): Use res.sendStatus(status) instead');
    this.statusCode = chunk;
    chunk = statuses.message[chunk];
  }
  return sendBody(this, chunk);
}

function sendBody(res: ExpressResponse, body: unknown): ExpressResponse {
  switch (typeof body) {
    case 'string':
      rules.setTextType(res);
      return sendTyped(res, body, rules);
    case 'boolean':
    case 'number':
      return res.json(body);
    case 'object':
      if (body === null) {
        completeCharset(res);
        return finish(res, '', 'utf8', rules);
      }
      if (!Buffer.isBuffer(body)) return res.json(body); // S2
      if (!res.get('Content-Type')) res.type('bin');
      return finish(res, body, undefined, rules);
    default:
      return finish(res, body as undefined, undefined, rules);
  }
}

function json(this: ExpressResponse, value?: unknown): ExpressResponse {
  if (arguments.length !== 2) return sendJson(this, value, send, rules);
  const second: unknown = arguments[1];
  if (typeof second === 'number') {
    deprecate('res.json(obj, status): Use res.status(status).json(obj) instead');
    this.statusCode = second;
    return sendJson(this, value, send, rules);
  }
  deprecate('res.json(status, obj): Use res.status(status).json(obj) instead');
  this.statusCode = value as number;
  return sendJson(this, second, send, rules);
}

function jsonp(this: ExpressResponse, value?: unknown): ExpressResponse {
  if (arguments.length !== 2) return sendJsonp(this, value);
  const second: unknown = arguments[1];
  if (typeof second === 'number') {
    deprecate('res.jsonp(obj, status): Use res.status(status).jsonp(obj) instead');
    this.statusCode = second;
    return sendJsonp(this, value);
  }
  deprecate('res.jsonp(status, obj): Use res.status(status).jsonp(obj) instead');
  this.statusCode = value as number;
  return sendJsonp(this, second);
}

function sendStatus(this: ExpressResponse, statusCode: number): ExpressResponse {
  const body = statuses.message[statusCode] || String(statusCode);
  this.statusCode = statusCode;
  this.type('txt');
  return this.send(body);
}

// The body parser has the same name, and a bundler renames one of the two.
Object.defineProperty(json, 'name', { value: 'json', configurable: true });

export const sendMembers = { send, json, jsonp, sendStatus };
