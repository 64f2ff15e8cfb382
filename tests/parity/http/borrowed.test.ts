/**
 * Every function of Node's prototypes, called on messages that are not theirs: Node's on ours, as `cookies`
 * does it with `http.OutgoingMessage.prototype.setHeader`, and ours on Node's. At every time in the life of a
 * reply.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { Readable, Stream, Writable } from 'node:stream';
import type { CaseContext, HttpModule, ParityCase, RequestInput } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { type Borrowed, borrowedFrom, type Messages, notAt } from './support/borrowed-calls.ts';

const nodeHttp: HttpModule = process.getBuiltinModule('node:http');

const EVENTS = ['prefinish', 'finish', 'close', 'error', 'timeout', 'custom', 'drain', 'aborted', 'end'];

/** What a request may have been through when the function is called. */
const phases: Readonly<Record<string, (res: ServerResponse, then: () => void) => void>> = {
  fresh: (_res, then) => then(),
  fields(res, then) {
    res.setHeader('X-F', '1');
    res.setHeader('Content-Type', 'text/plain');
    then();
  },
  head(res, then) {
    res.setHeader('X-F', '1');
    res.writeHead(202, { 'X-G': '2' });
    then();
  },
  length(res, then) {
    res.writeHead(202, { 'Content-Length': '4' });
    then();
  },
  written(res, then) {
    res.setHeader('Trailer', 'X-T');
    res.write('first');
    then();
  },
  later(res, then) {
    res.write('first');
    setTimeout(then, 2);
  },
  ended(res, then) {
    res.end('whole');
    then();
  },
  closed(res, then) {
    res.end('whole');
    res.on('close', () => setImmediate(then));
  },
};

const post = (path: string): RequestInput => ({ method: 'POST', path, headers: { 'X-Line': 'a' }, body: 'content' });
/** Functions for which it matters whether anybody listens already. */
const isOfEmitters = (label: string): boolean => /^(?:on|add|once|prepend|off|remove|emit|listen|end|write)/.test(label);
const requestsFor = ({ label }: Borrowed): readonly RequestInput[] =>
  Object.keys(phases)
    .filter((phase) => notAt[label]?.includes(phase) !== true)
    .flatMap((phase) => (isOfEmitters(label) ? [post(`/${phase}/heard`), post(`/${phase}/silent`)] : [post(`/${phase}/heard`)]));

/** Until all that a call or a reply causes has happened. */
const SETTLED_MS = 4;

const kindOf = (value: unknown, { req, res }: Messages): unknown => {
  if (value === res) return 'res';
  if (value === req) return 'req';
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'function' : value;
  // Names of events among them: the store of Node's streams has some from the start, and Node's own server
  // listens to `finish`.
  if (Array.isArray(value)) {
    const shown = value.map((one) => (typeof one === 'function' ? 'function' : String(one)));
    return shown.filter((one) => one !== 'finish').sort();
  }
  if (Reflect.getPrototypeOf(value) === Object.prototype || Reflect.getPrototypeOf(value) === null) return value;
  if (Symbol.asyncIterator in value) return 'iterable';
  const { name } = value.constructor;
  // Ours has its own class of sockets, of the same name.
  return name;
};

/** What went wrong; the words of errors without a code are the engine's. */
function failure(error: unknown): readonly unknown[] {
  const { name, code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? ['throws', name] : ['throws', name, code, message];
}

function outcome(call: () => unknown, messages: Messages): readonly unknown[] {
  try {
    return [kindOf(call(), messages)];
  } catch (error) {
    return failure(error);
  }
}

function stateOf(req: IncomingMessage, res: ServerResponse): readonly unknown[] {
  return [
    [res.headersSent, res.writableEnded, res.finished, res.destroyed, res.statusCode, res.statusMessage],
    { ...res.getHeaders() },
    [req.complete, req.aborted, req.destroyed, { ...req.headers, host: '' }],
  ];
}

/**
 * Calls `borrowed` on a message of a request, as the path says, and notes all that comes of it, in the order
 * of the requests.
 */
function play(borrowed: Borrowed, on: 'req' | 'res', ctx: CaseContext) {
  const done = ctx.pending();
  const lines: unknown[][] = [];
  let open = requestsFor(borrowed).length;
  return (req: IncomingMessage, res: ServerResponse): void => {
    const line: unknown[] = [req.url];
    lines.push(line);
    const [, phase = '', listening] = (req.url as string).split('/');
    const events: unknown[] = [];
    const note = (name: string) => (error?: unknown) => void events.push([name, (error as NodeJS.ErrnoException | undefined)?.code ?? '']);
    const messages = { req, res, note };
    if (listening === 'heard') {
      for (const event of EVENTS) {
        res.on(event, note(`res ${event}`));
        req.on(event, note(`req ${event}`));
      }
    } else {
      res.on('error', () => undefined);
      req.on('error', () => undefined);
    }
    phases[phase]?.(res, () => {
      const result = outcome(() => borrowed.call(on === 'res' ? res : req, messages), messages);
      line.push(result, ...stateOf(req, res));
      setTimeout(() => {
        if (!res.writableEnded && !res.destroyed) line.push(outcome(() => void res.end('tail'), messages));
        setTimeout(() => {
          // What comes first, the end of a reply or a callback of the same tick, is the business of other
          // suites.
          line.push(events.sort());
          if (--open > 0) return;
          for (const one of lines) ctx.record(JSON.stringify(one));
          done();
        }, SETTLED_MS);
      }, SETTLED_MS);
    });
  };
}

function caseOf(
  borrowed: Borrowed,
  on: 'req' | 'res',
  from: string,
  makes: 'ours' | 'node',
  find?: (http: HttpModule) => Borrowed,
): ParityCase {
  return {
    name: `${from}.${borrowed.label} does on a ${on} of ${makes === 'ours' ? 'the server what it does in Node' : 'Node what Node does'}`,
    server(http, ctx) {
      const used = find === undefined ? borrowed : find(http);
      return (makes === 'ours' ? http : nodeHttp).createServer(play(used, on, ctx));
    },
    requests: requestsFor(borrowed),
    options: { connection: 'each' },
  };
}

/** Node's functions on the messages of a server, which are ours on one side. */
function onOurs(): readonly ParityCase[] {
  const sources: readonly (readonly [string, { prototype: object }, 'req' | 'res'])[] = [
    ['OutgoingMessage', nodeHttp.OutgoingMessage, 'res'],
    ['ServerResponse', nodeHttp.ServerResponse, 'res'],
    ['Stream', Stream, 'res'],
    ['EventEmitter', EventEmitter, 'res'],
    ['Writable', Writable, 'res'],
    ['IncomingMessage', nodeHttp.IncomingMessage, 'req'],
    ['Readable', Readable, 'req'],
    ['Stream', Stream, 'req'],
    ['EventEmitter', EventEmitter, 'req'],
  ];
  return sources.flatMap(([from, { prototype }, on]) => {
    // Streams have their own way to name events, without those that nobody listens to; and what is no
    // Writable fails in the words of the host.
    const left = on === 'req' && from === 'EventEmitter' ? 'eventNames 0' : from === 'Writable' ? 'write 4' : '';
    const all = borrowedFrom(from, prototype).filter(({ label }) => label !== left);
    return all.map((one) => caseOf(one, on, from, 'ours'));
  });
}

/**
 * The functions of the classes that a server's messages have, which are ours on one side, on messages of
 * Node's.
 */
function onNodes(): readonly ParityCase[] {
  const sources: readonly (readonly [string, (http: HttpModule) => { prototype: object }, 'req' | 'res'])[] = [
    ['ServerResponse', (http) => http.ServerResponse, 'res'],
    ['IncomingMessage', (http) => http.IncomingMessage, 'req'],
  ];
  return sources.flatMap(([from, classOf, on]) => {
    const known = on === 'res' ? ['OutgoingMessage', 'ServerResponse'] : ['IncomingMessage'];
    // What both have is the same of ours.
    const labels = new Set(known.flatMap((name) => borrowedFrom(name, nodeHttp.IncomingMessage.prototype)).map(({ label }) => label));
    const find = (http: HttpModule, label: string): Borrowed =>
      known.flatMap((name) => borrowedFrom(name, classOf(http).prototype)).find((one) => one.label === label) as Borrowed;
    return [...labels].map((label) => caseOf(find(nodeHttp, label), on, from, 'node', (http) => find(http, label)));
  });
}

/** Asks what a client's response, and messages of classes of one's own, are instances of. */
function instances(http: HttpModule, ctx: CaseContext) {
  class Incoming extends http.IncomingMessage {}
  class Outgoing extends http.ServerResponse {}
  const note = (...values: object[]): void => {
    const classes = [http.IncomingMessage, http.ServerResponse, http.OutgoingMessage, Incoming, Outgoing, Readable, Stream];
    for (const value of values) ctx.record(classes.map((one) => value instanceof one));
  };
  const inner = http.createServer({ IncomingMessage: Incoming, ServerResponse: Outgoing }, (req, res) => {
    note(req, res);
    res.end('inner');
  });
  return http.createServer((req, res) => {
    note(req, res);
    inner.listen(0, '127.0.0.1', () => {
      const { port } = inner.address() as AddressInfo;
      http.get({ port, host: '127.0.0.1', agent: false }, (answer) => {
        note(
          answer,
          new http.IncomingMessage(answer.socket),
          new Incoming(answer.socket),
          Object.create(http.IncomingMessage.prototype) as object,
        );
        answer.on('end', () => void inner.close(() => res.end('done')));
        answer.resume();
      });
    });
  });
}

const classes: readonly ParityCase[] = [
  {
    name: 'messages of a client and of classes of one’s own are instances of the classes of the module',
    server: instances,
    requests: ['GET /'],
  },
];

export const cases = [...onOurs(), ...onNodes(), ...classes];
defineSuite(cases);
