/** node:http: members of outgoing messages, which responses and requests share. */
import http from 'node:http';
import { cases } from '../harness/cases.ts';
import { exchange, within } from './http-exchange.ts';

const message = (): http.OutgoingMessage => new http.OutgoingMessage();

/** A message with two headers. */
function filled(): http.OutgoingMessage {
  const made = message();
  made.setHeader('X-One', '1');
  made.setHeader('set-cookie', ['a', 'b']);
  return made;
}

export default cases('http', {
  OutgoingMessage: [
    () => {
      const made = message();
      return [made.headersSent, made.sendDate, made.shouldKeepAlive, made.finished, made.writable, made.chunkedEncoding];
    },
  ],
  'OutgoingMessage#addTrailers': [
    () => message().addTrailers({ a: 'b' }),
    () => message().addTrailers({ 'a b': 'c' }),
    () => message().addTrailers({ a: 'b\n' }),
  ],
  'OutgoingMessage#appendHeader': [
    () => filled().appendHeader('x-one', '2').getHeader('x-one'),
    () => filled().appendHeader('set-cookie', ['c', 'd']).getHeader('set-cookie'),
    () => within((_req, res) => res.end() && res.appendHeader('a', 'b')),
  ],
  'OutgoingMessage#setHeader': [
    () => message().setHeader('a', 'b').getHeader('A'),
    () => message().setHeader('a', 1).getHeader('a'),
    () => message().setHeader('a b', 'c'),
    () => message().setHeader('a', undefined as never),
    () => message().setHeader('a', 'b\r\n'),
    () => within((_req, res) => res.end() && res.setHeader('a', 'b')),
  ],
  'OutgoingMessage#setHeaders': [
    () =>
      message()
        .setHeaders(
          new Map([
            ['A', '1'],
            ['b', '2'],
          ]),
        )
        .getHeaders(),
    () =>
      message()
        .setHeaders(new Headers({ c: '3' }))
        .getHeaders(),
    () => message().setHeaders([] as never),
  ],
  'OutgoingMessage#getHeader': [() => filled().getHeader('x-ONE'), () => filled().getHeader('y'), () => filled().getHeader(1 as never)],
  'OutgoingMessage#getHeaders': [() => ({ ...filled().getHeaders() }), () => Object.getPrototypeOf(message().getHeaders())],
  'OutgoingMessage#getHeaderNames': [() => filled().getHeaderNames()],
  'OutgoingMessage#getRawHeaderNames': [() => (filled() as unknown as { getRawHeaderNames(): string[] }).getRawHeaderNames()],
  'OutgoingMessage#hasHeader': [() => filled().hasHeader('X-one'), () => filled().hasHeader('z'), () => filled().hasHeader(1 as never)],
  'OutgoingMessage#removeHeader': [
    () => {
      const made = filled();
      made.removeHeader('X-ONE');
      return made.getHeaderNames();
    },
    () => filled().removeHeader(1 as never),
    () => within((_req, res) => res.end() && res.removeHeader('a')),
    () => exchange((_req, res) => void (res.removeHeader('connection'), res.removeHeader('date'), res.end('x'))),
  ],
  'OutgoingMessage#headersSent': [() => within((_req, res) => [res.headersSent, res.write('a'), res.headersSent])],
  'OutgoingMessage#flushHeaders': [() => within((_req, res) => [res.flushHeaders(), res.headersSent])],
  'OutgoingMessage#socket': [() => message().socket, () => within((req, res) => res.socket === req.socket)],
  'OutgoingMessage#connection': [() => message().connection, () => within((req, res) => res.connection === req.socket)],
  'OutgoingMessage#closed': [() => (message() as unknown as { closed: boolean }).closed],
  'OutgoingMessage#errored': [() => (message() as unknown as { errored: unknown }).errored],
  'OutgoingMessage#cork': [
    () =>
      within((_req, res) => {
        res.cork();
        res.write('a');
        const corked = res.writableCorked;
        res.uncork();
        return [corked, res.writableCorked];
      }),
    () =>
      exchange((_req, res) => {
        res.cork();
        res.write('a');
        res.write('b');
        res.uncork();
        res.end('c');
      }),
  ],
  'OutgoingMessage#uncork': [() => message().uncork()],
  'OutgoingMessage#destroy': [
    () => {
      const made = message();
      return [made.destroyed, made.destroy() === made, made.destroyed];
    },
  ],
  'OutgoingMessage#end': [
    () => exchange((_req, res) => void res.end('text', 'latin1')),
    () => exchange((_req, res) => void res.end(new Uint8Array([65, 66]))),
    () => within((_req, res) => void res.end(1 as never)),
    () => within((_req, res) => new Promise((resolve) => res.end(() => resolve('finished')))),
    () => within((_req, res) => res.end() === res),
  ],
  'OutgoingMessage#write': [
    () => exchange((_req, res) => void (res.write('a'), res.write(Buffer.from('b')), res.end('c'))),
    () => within((_req, res) => res.write(null as never)),
    () => within((_req, res) => res.write(1 as never)),
  ],
  'OutgoingMessage#pipe': [() => message().pipe({} as never)],
  'OutgoingMessage#setTimeout': [() => within((_req, res) => res.setTimeout(1000) === res)],
  'OutgoingMessage#writableCorked': [() => message().writableCorked],
  'OutgoingMessage#writableEnded': [() => within((_req, res) => [res.writableEnded, res.end() === res, res.writableEnded])],
  'OutgoingMessage#writableFinished': [() => message().writableFinished],
  'OutgoingMessage#writableHighWaterMark': [() => within((_req, res) => typeof res.writableHighWaterMark)],
  'OutgoingMessage#writableLength': [() => message().writableLength],
  'OutgoingMessage#writableNeedDrain': [() => message().writableNeedDrain],
  'OutgoingMessage#writableObjectMode': [() => message().writableObjectMode],
});
