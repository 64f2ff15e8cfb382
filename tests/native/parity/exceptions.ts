/**
 * Cases of the parity suites that differ on the QuickJS host, each with its reason. A case listed here that
 * does not differ fails.
 */
import { basename, dirname } from 'node:path';

export interface Group {
  readonly reason: string;
  /**
   * Suite (`express`, `express4`, `express4 shared`, `http`, `koa`) → names of cases, or expressions for
   * several.
   */
  readonly cases: Readonly<Record<string, readonly (string | RegExp)[]>>;
}

export const EXCEPTIONS: readonly Group[] = [
  {
    reason: 'errors that the language itself throws have QuickJS’s words',
    cases: {
      express: [
        'res.format wants functions and an object',
        'the header name 7 is accepted or refused alike',
        'the header name {} is accepted or refused alike',
        'res.type refuses what is no string',
        'express.static refuses a missing root and a root that is no string',
        'app.render without a callback, with undefined options and with null',
      ],
      express4: [
        'app.get and app.set of the setting "@@symbol:trust_proxy_default" ignore what objects inherit',
        'after app.defaultConfiguration the router and its stack are what upstream has',
        'param with __proto__ and a function is taken or refused',
        'param with constructor and a function is taken or refused',
        'the pattern "/(?:a|b)/c" matches and names what upstream\'s does, as route and as mount',
        'the pattern "/(?<named>a+)" matches and names what upstream\'s does, as route and as mount',
        'the pattern "/(?!api)*" matches and names what upstream\'s does, as route and as mount',
        "the pattern string /:id( is taken or refused with upstream's message",
        "the pattern string /( is taken or refused with upstream's message",
        "the pattern string /) is taken or refused with upstream's message",
        "the pattern string /[ is taken or refused with upstream's message",
        'res.status with bigint 10 is as lenient as Express 4',
        'res.sendStatus with bigint 10 is as lenient as Express 4',
        'assigning res.statusCode bigint 10 is as lenient as Express 4',
        'res.set with objects, arrays, numbers and nothing',
        'res.type without a string throws as in Express 4',
        'the options "text" meet app.locals and res.locals as upstream',
        'the options 7 meet app.locals and res.locals as upstream',
        'the view class and its members',
      ],
      'express4 shared': [
        'the layers of a router have the names upstream gives them',
        'listRoutes lists routes, arrays of paths and mounted routers',
        "a null-prototype object makes upstream's error page in every environment",
        'res.format wants functions and an object',
        'the header name 7 is accepted or refused alike',
        'the header name {} is accepted or refused alike',
        'res.type refuses what is no string',
        'a router works as a plain listener with its own done function',
        'express.static refuses a missing root and a root that is no string',
        'app.render without a callback, with undefined options and with null',
      ],
      koa: [
        'koa 3: ip is kept once read and can be assigned',
        'koa 3: an empty ip is read again',
        'koa 2: ip is kept once read and can be assigned',
        'koa 2: an empty ip is read again',
        'koa 3: throwing a frozen error leaves the reply to nobody',
        'koa 2: throwing a frozen error leaves the reply to nobody',
        'koa 3: koa-proxies passes requests on',
        'koa 2: koa-proxies passes requests on',
        'koa 3: calling the class without new throws',
        'koa 2: calling the class without new throws',
        'koa 3: lastModified of a number',
        'koa 2: Content-Type and Content-Length as one-element arrays',
        'koa 2: Content-Type as an array of two',
        'koa 2: Content-Type as an empty array',
        'koa 2: lastModified of a number',
      ],
    },
  },
  {
    reason: 'QuickJS writes a date without the name of its time zone',
    cases: {
      http: ['values of other types are written as text'],
      express: [
        "a Date makes upstream's error page in every environment",
        'res.set, header, append, setHeader and get of object "1970-01-01T00:00:00.000Z"',
      ],
      express4: ['a Date makes the page of finalhandler 1 in every environment'],
      'express4 shared': [
        'app.use, app.get and friends refuse object Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time) as a handler alike',
        "a Date makes upstream's error page in every environment",
        'res.set, header, append, setHeader and get of object "1970-01-01T00:00:00.000Z"',
      ],
      koa: ['koa 3: set takes a Date', 'koa 2: set takes a Date'],
    },
  },
  {
    reason: "QuickJS says `circular reference` where V8 describes the circle, and members of the host's objects are walked otherwise",
    cases: {
      express: ['a circular object is sent alike by send, json, jsonp, and for HEAD, with and without ETag'],
      express4: ["JSON that cannot be made ends in upstream's page and message"],
      'express4 shared': ['a circular object is sent alike by send, json, jsonp, and for HEAD, with and without ETag'],
    },
  },
  {
    reason: "QuickJS writes a stack's first line when the error is made, V8 when it is first read",
    cases: {
      koa: ['koa 3: allowedMethods can throw', 'koa 2: allowedMethods can throw'],
    },
  },
  {
    reason: 'a module that the executable does not carry is reported with what to do about it',
    cases: {
      express: [
        'the view "missing.xyz" is found or not, by res.render and app.render',
        'the view "plain.txt" is found or not, by res.render and app.render',
        'an engine that cannot be loaded, and a module that is no engine',
      ],
      express4: [
        'the view string "missing.nope" with no default engine is found or refused as upstream',
        'the view string "missing.nope" with the engine tpl is found or refused as upstream',
        'the view string "missing.nope" with the engine .tpl is found or refused as upstream',
      ],
      'express4 shared': [
        'the view "missing.xyz" is found or not, by res.render and app.render',
        'the view "plain.txt" is found or not, by res.render and app.render',
        'an engine that cannot be loaded, and a module that is no engine',
      ],
    },
  },
  {
    reason: 'the first line of a stack names the code of an error, or does not, otherwise than in Node',
    cases: {
      express4: ["a message with a line break in the status text ends in upstream's page and message"],
      'express4 shared': [
        'zero is sent alike by send, json, jsonp, and for HEAD, with and without ETag',
        'a number is sent alike by send, json, jsonp, and for HEAD, with and without ETag',
      ],
      koa: [
        'koa 3: back with a referrer that cannot be parsed',
        'koa 2: redirect back goes to the referrer of the same host or /',
        'koa 2: redirect back goes to the referrer of the same host or /alt',
      ],
    },
  },
  {
    reason: 'errors of files carry the frames of the call, which Node’s have not',
    cases: {
      express4: ["sendFile of nothing ends in upstream's page and message", "download of nothing ends in upstream's page and message"],
    },
  },
  {
    reason: 'node:http2 and realms of node:vm are not part of the native host',
    cases: {
      koa: [
        'koa 3: onerror accepts errors of other realms',
        'koa 2: onerror accepts errors of other realms',
        'koa 3: an HTTP/2 request is answered',
        'koa 3: an HTTP/2 reply has no message',
        'koa 3: an HTTP/2 404 is answered with its number',
        'koa 3: an HTTP/2 HEAD is answered',
        'koa 3: an HTTP/2 error is answered',
        'koa 3: an HTTP/2 stream is sent',
        'koa 3: HTTP/2 JSON, text, buffer and empty replies',
        'koa 3: HTTP/2 cookies and fields',
        'koa 3: HTTP/2 content is read',
        'koa 2: an HTTP/2 request is answered',
        'koa 2: an HTTP/2 reply has no message',
        'koa 2: an HTTP/2 404 is answered with its number',
        'koa 2: an HTTP/2 error is answered',
        'koa 2: an HTTP/2 stream is sent',
        'koa 2: HTTP/2 JSON, text, buffer and empty replies',
        'koa 2: HTTP/2 cookies and fields',
        'koa 2: HTTP/2 content is read',
      ],
    },
  },
  {
    reason: 'the compressor makes other bytes of the same content',
    cases: {
      express: ['compression compresses a large file'],
      'express4 shared': ['compression compresses a large file'],
      koa: ['koa 3: koa-compress compresses what is worth it', 'koa 2: koa-compress compresses what is worth it'],
    },
  },
];

/** `express` for the suites in `…/parity/express`; `express4 shared` where Express 4 runs them. */
export function suiteName(file: string, flavour?: string): string {
  const folder = basename(dirname(file));
  return flavour !== undefined && flavour !== folder ? `${flavour} shared` : folder;
}

/** Why a case differs; undefined when it must not. */
export function exceptionFor(suite: string, name: string): string | undefined {
  const matches = (pattern: string | RegExp): boolean => (typeof pattern === 'string' ? pattern === name : pattern.test(name));
  return EXCEPTIONS.find((group) => group.cases[suite]?.some(matches))?.reason;
}
