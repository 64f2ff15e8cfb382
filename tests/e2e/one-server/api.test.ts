/**
 * The example of one server, in each form in which it runs: what its visitors do, its log, and its end, with a socket and an
 * upload that are open when it comes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { Running } from '../support/launch.ts';
import { Client, field } from '../support/client.ts';
import { BOUNDARY, MULTIPART, toMultipart } from '../support/multipart.ts';
import { ChatClient, cookiesOf } from './chat-client.ts';
import { forms, fromSources, SLOW_END } from './forms.ts';
import { scenarios, signIn } from './scenarios.ts';

const content = toMultipart([{ name: 'a', filename: 'late.txt', value: 'begun before the end' }]).toString();

/** An upload whose second half is sent when it is asked for; it gives the status. */
async function beginUpload(visitor: Client): Promise<() => Promise<[number | undefined, string]>> {
  const headers = { ...MULTIPART, Cookie: cookiesOf(visitor), Expect: '100-continue' };
  const request = http.request({ host: '127.0.0.1', port: visitor.port, path: '/uploads', method: 'POST', headers, agent: false });
  const reply = new Promise<http.IncomingMessage>((resolve, reject) => request.once('response', resolve).once('error', reject));
  // The handler has begun to read when it is told to continue.
  await new Promise((resolve, reject) => {
    request.once('continue', resolve).once('error', reject);
    request.flushHeaders();
  });
  const half = content.indexOf(BOUNDARY) + BOUNDARY.length;
  request.write(content.slice(0, half));
  return async () => {
    request.end(content.slice(half));
    const message = await reply;
    return [message.statusCode, await text(message)];
  };
}

async function statusOfReady(port: number): Promise<number> {
  const client = new Client(port);
  try {
    return (await client.get('/ready')).status;
  } finally {
    client.close();
  }
}

for (const form of forms) {
  describe(`one server as ${form.name}`, { timeout: 300_000 }, () => {
    let running: Running;
    before(async () => void (running = await form.start(SLOW_END)));
    after(() => running?.stop());

    for (const { name, play } of scenarios) test(name, { timeout: 60_000 }, () => play(running.port, form));

    test('logs requests, without probes and without what a query or cookie says', () => {
      const requests = running.lines.filter((line) => /^[A-Z]+ \//.test(line));
      assert.ok(requests.some((line) => line.startsWith('POST /account/login 303 ')));
      assert.ok(requests.some((line) => line.startsWith('GET /tides/skomer 200 ')));
      assert.deepEqual(
        running.lines.filter((line) => /\/live|\/ready|station\.sid|kittiwake|limit=/.test(line)),
        [],
      );
    });

    test('at SIGTERM it is not ready, finishes what is open, closes sockets with 1001, and ends with 0', { timeout: 60_000 }, async () => {
      const visitor = await signIn(running.port);
      const chat = await ChatClient.connect(visitor);
      const finish = await beginUpload(visitor);
      const ended = running.stop();
      while ((await statusOfReady(running.port)) !== 503);
      const [status, told] = await finish();
      assert.equal(status, 201, told);
      assert.match(told, /"late\.txt","bytes":20/);
      assert.equal(await chat.closed, 1001);
      assert.deepEqual(await ended, { code: 0, signal: null });
      visitor.close();
      await assert.rejects(statusOfReady(running.port));
    });
  });
}

test('behind a proxy that speaks https both sides of the session say Secure', { timeout: 60_000 }, async () => {
  const running = await fromSources.start({ HTTPS: '1' });
  const client = new Client(running.port);
  try {
    const asked = { 'X-Forwarded-Proto': 'https' };
    const signed = await client.form('/account/login', { name: 'ada', password: 'kittiwake' }, asked);
    const home = await client.get('/', asked);
    for (const reply of [signed, home]) assert.match(field(reply, 'set-cookie') ?? '', /^station\.sid=.*; Secure/);
    assert.match(home.content.toString(), /id="user">ada</);
    assert.match(field(home, 'strict-transport-security') ?? '', /max-age/);
  } finally {
    client.close();
    assert.deepEqual(await running.stop(), { code: 0, signal: null });
  }
});
