/**
 * Feathers on Express 4: services over REST with its client and by hand, over socket.io, authentication,
 * uploads, channels.
 */
import assert from 'node:assert/strict';
import { feathers } from '@feathersjs/feathers';
import restModule from '@feathersjs/rest-client';
import socketioModule from '@feathersjs/socketio-client';
import { io } from 'socket.io-client';
import type { Client, Reply } from '../../e2e/support/client.ts';
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import type { Part } from '../../e2e/support/multipart.ts';
import { compareApp } from '../support/compare.ts';
import type { Conversation, Talk } from '../support/compare.ts';
import { sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const HTML = { Accept: 'text/html' };

/** The bearer of a user, who is made when there is none. */
async function signIn(client: Client, email: string): Promise<Record<string, string>> {
  const password = 'kittiwake ☃';
  await client.json('/users', { email, password, name: email.split('@')[0] });
  const reply = await client.json('/authentication', { strategy: 'local', email, password });
  const { accessToken } = JSON.parse(reply.content.toString()) as { accessToken: string };
  return { Authorization: `Bearer ${accessToken}` };
}

const rests: readonly Conversation[] = [
  {
    name: 'registers users, signs them in and knows them again',
    talk: async ({ client }) => {
      await client.get('/users');
      const ada = await signIn(client, 'ada@cliff.example');
      await client.json('/users', { email: 'ada@cliff.example', password: 'x' });
      await client.json('/authentication', { strategy: 'local', email: 'ada@cliff.example', password: 'wrong' });
      await client.json('/authentication', { strategy: 'magic' });
      await client.json('/authentication', {});
      for (const path of ['/users', '/users/0', '/users/9', '/who', '/users?$select[]=name&$sort[email]=-1']) await client.get(path, ada);
      await client.get('/who', { Authorization: 'Bearer broken' });
      await client.get('/who');
      await client.send({
        method: 'PATCH',
        path: '/users/0',
        body: '{"name":"Ada ☃","password":"kittiwake ☃"}',
        headers: { ...ada, ...JSON_TYPE },
      });
      await client.send({ method: 'DELETE', path: '/authentication', headers: ada });
    },
    check: (replies) => {
      assert.match(replies[0]?.line ?? '', /^401/);
      assert.ok(replies.some(({ content }) => content.includes('"email":"ada@cliff.example"}')));
      assert.ok(!JSON.stringify(replies).includes('kittiwake'));
    },
  },
  {
    name: 'serves every method of a service, with queries, validation and ownership',
    talk: async ({ client }) => {
      const ada = await signIn(client, 'ada@cliff.example');
      const olga = await signIn(client, 'olga@cliff.example');
      const add = (value: unknown, headers = ada): Promise<Reply> => client.json('/messages', value, headers);
      await add({ text: 'Fyrsta ☃ 一' });
      await add({ text: 'second', mood: 'rough', height: '7' });
      await add({ text: 'third', mood: 'foggy' }, olga);
      await add([{ text: 'fourth' }, { text: 'fifth' }]);
      for (const wrong of [{}, { text: '' }, { text: 'x', mood: 'angry' }, { text: 'x', extra: 1 }, { text: 'x', height: -1 }, 'text'])
        await add(wrong);
      await client.json('/messages', { text: 'nobody' });
      for (const query of [
        '',
        '?$limit=2&$skip=1&$sort[id]=-1',
        '?mood=rough',
        '?height[$gt]=5',
        '?$select[]=text',
        '?$or[0][mood]=rough&$or[1][mood]=foggy',
        '?$limit=0',
        '?$limit=100',
        '?unknown=1',
        '?height[$where]=1',
        '?mood[$in][]=calm&mood[$in][]=foggy',
      ])
        await client.get(`/messages${query}`);
      for (const path of ['/messages/0', '/messages/99', '/messages/0/below', '/Messages', '/messages/']) await client.get(path);
      for (const [method, path, body] of [
        ['PATCH', '/messages/0', '{"mood":"foggy"}'],
        ['PATCH', '/messages/2', '{"mood":"foggy"}'],
        ['PUT', '/messages/1', '{"text":"replaced"}'],
        ['PUT', '/messages/1', '{"mood":"calm"}'],
        ['DELETE', '/messages/1', ''],
        ['DELETE', '/messages/1', ''],
        ['PUT', '/messages', '{"text":"all"}'],
      ] as const)
        await client.send({ method, path, body, headers: { ...ada, ...JSON_TYPE } });
      for (const method of ['HEAD', 'OPTIONS', 'SEARCH']) await client.send({ method, path: '/messages' });
    },
    check: (replies) => assert.ok(replies.some(({ line }) => line.startsWith('403'))),
  },
  {
    name: 'routes with parameters, own methods, errors of each kind as JSON and as pages',
    talk: async ({ client }) => {
      const ships = '/harbours/Heimaey%20%E2%98%83/ships';
      await client.get(`${ships}?a=1&b[c]=2`, { 'X-Trip': 'one' });
      for (const id of ['one', 'plainly', 'bad', 'closed', 'null', 'big', '%ff', 'm%C3%B6we']) {
        await client.get(`${ships}/${id}`);
        await client.get(`${ships}/${id}`, HTML);
      }
      await client.json(`${ships}?times=3`, { bell: true }, { 'X-Service-Method': 'ring' });
      await client.json(ships, { bell: true }, { 'X-Service-Method': 'find' });
      await client.json(ships, { bell: true }, { 'X-Service-Method': 'unknown' });
      await client.json(ships, { created: 'ü ☃' });
      await client.form(ships, { 'a[b]': '1', ü: '☃' });
      await client.send({ method: 'PATCH', path: ships, body: '{}', headers: JSON_TYPE });
      for (const path of ['/nowhere', '/nowhere?x=1', '/page?name=%C3%BC', '/', '/index.html', '/birds.txt', '/..%2Fserver.cjs']) {
        await client.get(path);
        await client.get(path, HTML);
      }
      await client.get('/birds.txt', { Range: 'bytes=0-9' });
      await client.get('/page', { Origin: 'https://cliff.example' });
    },
    check: (replies) => assert.ok(replies.some(({ content }) => content.includes('Closed for the winter'))),
  },
  {
    name: 'refuses bodies that it cannot read, and survives requests that break off',
    talk: async ({ client, port }) => {
      const ships = '/harbours/1/ships';
      for (const body of ['{', '"text"', '5', '[1]', '']) await client.post(ships, body, JSON_TYPE);
      await client.json(ships, { big: 'x'.repeat(100_000) });
      await client.json(ships, { big: 'x'.repeat(200_000) });
      await client.post(ships, 'x', { ...JSON_TYPE, 'Content-Encoding': 'unknown' });
      await client.post(ships, '{}', { 'Content-Type': 'application/json; charset=unknown' });
      await client.send({ method: 'POST', path: ships, pieces: ['{"in', '":"', 'pieces ☃', '"}'], headers: JSON_TYPE });
      const head = `POST ${ships} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      await sendRaw(port, [`${head}Content-Length: 1000\r\n\r\n{"a":`], { cutAfter: '' });
      await client.get('/page');
    },
    check: (replies) => assert.ok(replies.some(({ line }) => line.startsWith('413') || line.startsWith('500'))),
  },
  {
    name: 'takes uploads up to its limits',
    talk: async ({ client }) => {
      const photo = (bytes: number, name = 'photos'): Part => ({
        name,
        filename: 'möwe.png',
        type: 'image/png',
        value: Buffer.alloc(bytes, 'f'),
      });
      const send = (parts: readonly Part[], isEnded = true): Promise<Reply> =>
        client.post('/photos', toMultipart(parts, isEnded), MULTIPART);
      await send([{ name: 'caption', value: 'Súla ☃' }, photo(50_000), photo(10)]);
      await send([photo(100_001)]);
      await send([photo(1), photo(2), photo(3)]);
      await send([photo(1, 'other')]);
      await send([photo(1)], false);
      await send([]);
      await client.json('/photos', { no: 'photos' });
      await client.get('/photos');
    },
    check: ([first]) => assert.match(first?.content ?? '', /"size":50000/),
  },
];

/** The value, or what the client's error tells. */
async function told(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    const { name, message, code, data, errors } = error as Record<string, unknown>;
    return { name, message, code, data, errors };
  }
}

// The application is JavaScript, so its services have no types here.
type Services = any;
// The packages are CommonJS: their functions are the modules themselves, whatever their types say.
const rest = restModule as unknown as typeof restModule.default;
const socketio = socketioModule as unknown as typeof socketioModule.default;

function open({ url, after }: Talk, transports: string[]): { app: Services; socket: ReturnType<typeof io> } {
  const socket = io(url, { transports, forceNew: true, reconnection: false });
  after(() => socket.disconnect());
  return { app: feathers().configure(socketio(socket as never, { timeout: 60_000 })), socket };
}

const clients: readonly Conversation[] = [
  {
    name: 'serves its own client over fetch',
    talk: async (talk) => {
      const bearer = await signIn(talk.client, 'ida@cliff.example');
      const app: Services = feathers().configure(rest(talk.url).fetch(fetch, { headers: bearer } as never));
      const messages = app.service('messages');
      talk.note(await told(messages.create({ text: 'by fetch 海鷗' })));
      talk.note(await told(messages.find({ query: { $limit: 1, mood: { $ne: 'rough' } } })));
      talk.note(await told(messages.get(99)));
      talk.note(await told(messages.patch(0, { mood: 'foggy' })));
      talk.note(await told(app.service('harbours/7/ships').get('closed')));
    },
    check: (_replies, notes) => assert.match(JSON.stringify(notes), /海鷗[^]*Closed for the winter/),
  },
  ...[['polling'], ['websocket'], ['polling', 'websocket']].map((transports) => ({
    name: `serves its own client over socket.io (${transports.join(', then ')}), with events on channels`,
    talk: async (talk: Talk): Promise<void> => {
      const email = `${transports.length}${transports[0]}@cliff.example`;
      await signIn(talk.client, email);
      const [one, two] = [open(talk, transports), open(talk, transports)];
      const heard: unknown[] = [];
      two.app.service('messages').on('created', ({ text }: { text: string }) => heard.push(['message', text]));
      two.app.service('users').on('created', (user: { email: string }) => heard.push(['user', user.email]));
      const login = { strategy: 'local', email, password: 'kittiwake ☃' };
      for (const { app } of [one, two]) talk.note(Object.keys(await app.service('authentication').create(login)));
      talk.note(await told(one.app.service('messages').create({ text: `over ${transports.join()} ☃` })));
      talk.note(await told(one.app.service('messages').create({ text: '' })));
      talk.note(await told(one.app.service('messages').find({ query: { $limit: 1, $sort: { id: -1 } } })));
      talk.note(await told(one.app.service('harbours/7/ships').get('big')));
      await talk.client.json('/users', { email: `late-${email}`, password: 'x' });
      talk.note(await until(() => (heard.length === 2 ? heard : undefined), 'both events'));
    },
    check: (_replies: unknown, notes: readonly unknown[]) => assert.match(JSON.stringify(notes.at(-1)), /message[^]*late-/),
  })),
];

compareApp({
  name: 'Feathers',
  folder: new URL('./', import.meta.url),
  file: 'server.cjs',
  env: { NODE_ENV: 'production' },
  express: 'fulmar/express4',
  handlesSigterm: true,
  masks: [
    { pattern: /eyJ[\w-]+\.[\w-]+\.[\w-]+/g, by: '<token>' },
    { pattern: /"(?:iat|exp)":\d+/g, by: '"<time>"' },
    { pattern: /"jti":"[^"]+"/g, by: '"jti":"<id>"' },
  ],
  conversations: [...rests, ...clients],
});
