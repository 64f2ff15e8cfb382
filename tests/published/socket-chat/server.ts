/**
 * A chat on socket.io and Express 4; its clients are socket.io-client by polling, by WebSocket and by an
 * upgrade from one to the other.
 */
import type { Published, Talk } from '../support/server.ts';

interface Socket {
  on(name: string, listener: (...values: unknown[]) => void): Socket;
  once(name: string, listener: (...values: unknown[]) => void): Socket;
  emit(name: string, ...values: unknown[]): Socket;
  emitWithAck(name: string, ...values: unknown[]): Promise<unknown>;
  readonly io: { readonly engine: { readonly transport: { readonly name: string }; once(name: string, listener: () => void): void } };
  close(): void;
}
type Connect = (url: string, options: object) => Socket;

const heard = (socket: Socket, name: string): Promise<unknown[]> =>
  new Promise((resolve) => socket.once(name, (...values) => resolve(values)));

async function talkBy({ url, step, note, after, client }: Talk, io: Connect, transports: readonly string[]): Promise<void> {
  await step(transports.join(' then '));
  const open = (name: string): Socket => {
    const socket = io(url, { transports, auth: { name }, query: { q: 'Ü' }, forceNew: true, reconnection: false });
    after(() => socket.close());
    return socket;
  };
  const [ada, ben] = [open('ada'), open('ben')];
  const upgraded =
    transports.length > 1 ? new Promise<void>((done) => ada.once('connect', () => ada.io.engine.once('upgrade', done))) : undefined;
  note(await Promise.all([heard(ada, 'hello'), heard(ben, 'hello')]));
  await upgraded;
  note(ada.io.engine.transport.name);
  note([await ada.emitWithAck('join', 'north'), await ben.emitWithAck('join', 'north')]);
  const both = Promise.all([heard(ada, 'said'), heard(ben, 'said')]);
  ada.emit('say', 'north', 'Grüße 🌊');
  note(await both);
  const whispered = heard(ben, 'said');
  ada.emit('whisper', 'north', 'x'.repeat(3_000));
  note(await whispered);
  note(await ada.emitWithAck('echo', { text: 'y'.repeat(40_000), list: [1, null, true], bytes: Buffer.from([0, 255, 10]) }));
  ben.on('question', (value, done) => (done as (answer: unknown) => void)([value, 'answer']));
  note(await ben.emitWithAck('ask'));
  for (let index = 0; index < 30; index += 1) note(await ada.emitWithAck('echo', index));
  await client.get('/rooms');
  const gone = heard(ben, 'disconnect');
  ben.emit('leave');
  note((await gone)[0]);
  const tooMuch = heard(ada, 'disconnect');
  ada.emit('echo', 'z'.repeat(200_000));
  note((await tooMuch)[0]);
}

async function talk(all: Talk): Promise<void> {
  const { url, client, step, note, after, load } = all;
  const { io } = await load<{ io: Connect }>('socket.io-client');
  for (const transports of [['websocket'], ['polling'], ['polling', 'websocket']]) await talkBy(all, io, transports);
  await step('refusals and namespaces');
  const nobody = io(url, { auth: { name: 'nobody' }, transports: ['websocket'], forceNew: true, reconnection: false });
  after(() => nobody.close());
  note(await heard(nobody, 'connect_error'));
  const refused = io(url, { query: { q: 'refused' }, transports: ['polling'], forceNew: true, reconnection: false });
  after(() => refused.close());
  note(((await heard(refused, 'connect_error')) as Error[]).map(({ message }) => message));
  const admin = io(`${url}/admin`, { auth: { name: 'root' }, transports: ['websocket'], forceNew: true, reconnection: false });
  after(() => admin.close());
  note(await heard(admin, 'count'));
  await step('by hand');
  const target = '/socket.io/?EIO=4&transport=';
  for (const path of [
    '/',
    '/clients',
    '/socket.io/',
    `${target}polling&sid=none`,
    `${target}smoke`,
    '/socket.io/?EIO=3&transport=polling',
    `${target}websocket`,
  ]) {
    await client.get(path);
  }
  await client.get(`${target}polling`, { Origin: 'http://sea.example', 'Accept-Encoding': 'gzip' });
  await client.send({ method: 'OPTIONS', path: `${target}polling`, headers: { Origin: 'http://sea.example' } });
  await client.post(`${target}polling&sid=none`, '40');
  await client.get('/socket.io/socket.io.esm.min.js', { 'If-None-Match': '"4.8.4"', 'Accept-Encoding': 'br' });
  await client.get('/socket.io/socket.io.js', { 'Accept-Encoding': 'gzip' });
}

export const server: Published = {
  name: 'socket-chat',
  shown: 'socket.io',
  entry: '.run/server.cjs',
  masks: [
    { pattern: /sid=[\w-]{20}/g, by: 'sid=<id>' },
    { pattern: /"(sid|pid)":"[\w-]+"/g, by: '"$1":"<id>"' },
    { pattern: /\bio=[\w-]{20}/g, by: 'io=<id>' },
    { pattern: /\bt=[\w.-]+/g, by: 't=<time>' },
    { pattern: /"[QR][\w-]{6}(?:\.\d+)?"/g, by: '"<offset>"' },
  ],
  timed: /transport=polling.*sid=<id>/,
  refused: /^POST .*\+ 200013 bytes$/,
  talk,
};
