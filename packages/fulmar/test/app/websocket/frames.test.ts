/**
 * What peers send, right and wrong: fragments, control frames, lengths, masks, UTF-8. After each the socket is
 * closed with the right code, and nothing is left of it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeFrame, frame, Opcode, Peer, served, until } from './peer.ts';

const { continuation, text, binary, close, ping, pong } = Opcode;

interface FrameCase {
  readonly name: string;
  /** Written at once. */
  readonly send: readonly Buffer[];
  /** What comes back, in this order. */
  readonly come: readonly string[];
}

const cases: readonly FrameCase[] = [
  { name: 'a text', send: [frame(text, 'hello')], come: ['hello'] },
  { name: 'an empty text', send: [frame(text)], come: [''] },
  { name: 'bytes', send: [frame(binary, 'abc')], come: ['abc'] },
  { name: 'empty bytes', send: [frame(binary)], come: [''] },
  { name: 'characters of four bytes', send: [frame(text, '𝄞 ö')], come: ['𝄞 ö'] },
  { name: 'a mark at the begin stays', send: [frame(text, '\uFEFFx')], come: ['\uFEFFx'] },
  { name: 'a NUL', send: [frame(text, 'a\0b')], come: ['a\0b'] },
  { name: '125 bytes', send: [frame(text, 'x'.repeat(125))], come: ['x'.repeat(125)] },
  { name: '126 bytes', send: [frame(text, 'x'.repeat(126))], come: ['x'.repeat(126)] },
  { name: '65,536 bytes', send: [frame(text, 'x'.repeat(65_536))], come: ['x'.repeat(65_536)] },
  {
    name: 'a text in three fragments',
    send: [frame(text, 'a', { fin: false }), frame(continuation, 'b', { fin: false }), frame(continuation, 'c')],
    come: ['abc'],
  },
  {
    name: 'a character in two fragments',
    send: [frame(text, Buffer.from([0xc3]), { fin: false }), frame(continuation, Buffer.from([0xb6]))],
    come: ['ö'],
  },
  {
    name: 'empty fragments',
    send: [frame(text, '', { fin: false }), frame(continuation, '', { fin: false }), frame(continuation, '')],
    come: [''],
  },
  {
    name: 'a ping between fragments',
    send: [frame(text, 'a', { fin: false }), frame(ping, 'p'), frame(continuation, 'b')],
    come: ['p', 'ab'],
  },
  { name: 'a ping', send: [frame(ping, 'p')], come: ['p'] },
  { name: 'a pong that nobody asked for', send: [frame(pong, 'p'), frame(text, 'x')], come: ['x'] },
  {
    name: 'many at once',
    send: [Buffer.concat(Array.from({ length: 50 }, (_, at) => frame(text, String(at))))],
    come: Array.from({ length: 50 }, (_, at) => String(at)),
  },
  { name: 'a close', send: [frame(close, closeFrame(1000, 'bye'))], come: ['close 1000'] },
  { name: 'a close without a code', send: [frame(close)], come: ['close 1005'] },
  { name: 'a close of the application', send: [frame(close, closeFrame(4001))], come: ['close 4001'] },
  { name: 'a frame without a mask', send: [frame(text, 'x', { mask: false })], come: ['close 1002'] },
  { name: 'a reserved bit', send: [frame(text, 'x', { rsv: 4 })], come: ['close 1002'] },
  { name: 'another reserved bit', send: [frame(text, 'x', { rsv: 1 })], come: ['close 1002'] },
  { name: 'a reserved opcode', send: [frame(3, 'x')], come: ['close 1002'] },
  { name: 'a reserved control opcode', send: [frame(11, 'x')], come: ['close 1002'] },
  { name: 'a continuation of nothing', send: [frame(continuation, 'x')], come: ['close 1002'] },
  { name: 'a text within fragments', send: [frame(text, 'a', { fin: false }), frame(text, 'b')], come: ['close 1002'] },
  { name: 'a ping in fragments', send: [frame(ping, 'a', { fin: false })], come: ['close 1002'] },
  { name: 'a ping of 126 bytes', send: [frame(ping, 'x'.repeat(126))], come: ['close 1002'] },
  { name: 'a close of one byte', send: [frame(close, 'x')], come: ['close 1002'] },
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map((code) => ({
    name: `a close with ${code}`,
    send: [frame(close, closeFrame(code))],
    come: ['close 1002'],
  })),
  { name: 'a text that is no UTF-8', send: [frame(text, Buffer.from([0xff, 0xfe]))], come: ['close 1007'] },
  { name: 'an overlong form', send: [frame(text, Buffer.from([0xc0, 0xaf]))], come: ['close 1007'] },
  { name: 'a surrogate', send: [frame(text, Buffer.from([0xed, 0xa0, 0x80]))], come: ['close 1007'] },
  { name: 'a character that is cut off', send: [frame(text, Buffer.from([0xe2, 0x82]))], come: ['close 1007'] },
  {
    name: "a close's reason that is no UTF-8",
    send: [frame(close, Buffer.concat([closeFrame(1000), Buffer.from([0xff])]))],
    come: ['close 1007'],
  },
  { name: 'bytes that are no UTF-8', send: [frame(binary, Buffer.from([0xff])), frame(text, 'x')], come: ['\ufffd', 'x'] },
  { name: 'a message beyond the limit', send: [frame(text, 'x'.repeat(100_001))], come: ['close 1009'] },
  {
    name: 'fragments beyond the limit',
    send: [frame(text, 'x'.repeat(60_000), { fin: false }), frame(continuation, 'x'.repeat(60_000))],
    come: ['close 1009'],
  },
  // Its bytes never come: the head says enough.
  { name: 'a length of 2^62', send: [Buffer.from([0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])], come: ['close 1009'] },
];

describe('frames', () => {
  for (const one of cases) {
    for (const way of ['at once', 'byte by byte'] as const) {
      if (way === 'byte by byte' && one.send.reduce((sum, { length }) => sum + length, 0) > 1000) continue;
      it(`${one.name}, ${way}`, async (t) => {
        const codes: number[] = [];
        const server = await served(t, (app) => {
          app.websocket(
            '/',
            { message: (socket, message) => void socket.send(message), close: (_socket, code) => void codes.push(code) },
            { maxPayload: 100_000 },
          );
        });
        const peer = await Peer.open(server.port, '/');
        const all = Buffer.concat(one.send);
        if (way === 'at once') peer.socket.write(all);
        else {
          peer.socket.setNoDelay(true);
          for (const byte of all) await new Promise((resolve) => peer.socket.write(Buffer.from([byte]), resolve));
        }
        for (const expected of one.come) assert.equal(await peer.text(), expected);
        peer.socket.destroy();
        await until(() => server.app.socketCount === 0);
        await until(() => codes.length === 1);
        assert.deepEqual(server.logged, []);
      });
    }
  }

  it('frames that come with the handshake are taken', async (t) => {
    const server = await served(t, (app) => app.websocket('/', { message: (socket, message) => void socket.send(message) }));
    const peer = await Peer.open(server.port, '/', {}, Buffer.concat([frame(text, 'one'), frame(text, 'two')]));
    assert.equal(peer.status, 101);
    assert.equal(await peer.text(), 'one');
    assert.equal(await peer.text(), 'two');
    peer.socket.destroy();
  });

  it('a peer that floods with pings and takes no pong is dropped', async (t) => {
    const server = await served(t, (app) => app.websocket('/', { message: () => {} }));
    const peer = await Peer.open(server.port, '/');
    assert.equal(server.app.socketCount, 1);
    peer.socket.pause();
    const flood = Buffer.concat(Array.from({ length: 2000 }, () => frame(ping, 'x'.repeat(125))));
    for (let times = 0; times < 100 && server.app.socketCount > 0; times += 1) {
      await new Promise((resolve) => peer.socket.write(flood, resolve));
    }
    await until(() => server.app.socketCount === 0);
    peer.socket.destroy();
  });
});
