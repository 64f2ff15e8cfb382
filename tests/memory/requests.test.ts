/**
 * A request says what its client sent: while other requests change the engine's limits, and long after its
 * reply, without keeping much.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type App, startApp } from './harness/app.ts';
import { cell } from './harness/marks.ts';

const CROWD = 72;
const PIPELINED = 12;
const UPGRADED = 2000;
const LOGGED = 1000;
const AT_ONCE = 50;
/** What a kept request may hold outside the heap, in bytes. */
const KEPT_BYTES_MAX = 4096;

let app: App;
beforeEach(async () => {
  app = await startApp('ways');
});
afterEach(() => app.stop());

interface Ring {
  readonly kept: number;
  readonly bytesEach: number;
  readonly wrong: number;
}

/** A request of a crowd: looked at only when all of them are open. */
function crowdRequest(target: string, client: number, isLast: boolean): string {
  const marks = Array.from({ length: 8 }, (_, n) => `X-Mark-${n}: ${cell(client, n)}\r\n`).join('');
  const close = isLast ? 'Connection: close\r\n' : '';
  return `GET ${target}?client=${client} HTTP/1.1\r\nHost: memory.test\r\n${marks}${close}X-Last: last\r\n\r\n`;
}

const CHANGES = ['header-size/65536', 'header-size/262144', 'headers-count/8000', 'headers-count/60000'] as const;
for (const change of CHANGES) {
  test(`${CROWD} open requests keep their own bytes while a handler sets ${change}`, async () => {
    const target = `/crowd/${CROWD}/${change}`;
    // One connection for each client, or a few with pipelined requests: both at once.
    const single = CROWD / 2;
    const texts = Array.from({ length: single }, (_, client) => crowdRequest(target, client, true));
    for (let first = single; first < CROWD; first += PIPELINED) {
      const batch = Array.from({ length: PIPELINED }, (_, n) => crowdRequest(target, first + n, n === PIPELINED - 1));
      texts.push(batch.join(''));
    }
    const replies = await Promise.all(texts.map((text) => app.talk(text)));
    assert.equal(replies.join('').split('HTTP/1.1 200 OK').length - 1, CROWD);
    assert.deepEqual(await app.ask('/found'), []);
  });
}

async function many(count: number, text: (n: number) => string): Promise<void> {
  for (let first = 0; first < count; first += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, n) => app.talk(text(first + n))));
  }
}

test(`${UPGRADED} kept requests of upgraded connections hold at most ${KEPT_BYTES_MAX} bytes each, and what was sent`, async () => {
  const text = (n: number): string =>
    `GET /echo?client=${n} HTTP/1.1\r\nHost: memory.test\r\nX-Client: ${n}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`;
  await many(AT_ONCE, text);
  await app.ask('/ring');
  await app.ask('/measure');
  await many(UPGRADED, text);
  const ring = await app.ask<Ring>('/ring');
  assert.equal(ring.kept, UPGRADED);
  assert.equal(ring.wrong, 0);
  assert.ok(ring.bytesEach <= KEPT_BYTES_MAX, `${ring.bytesEach} bytes each`);
});

test(`a log of ${LOGGED} answered requests holds at most ${KEPT_BYTES_MAX} bytes each, and what was sent`, async () => {
  const text = (n: number): string => `GET /log?client=${n} HTTP/1.1\r\nHost: memory.test\r\nX-Client: ${n}\r\nConnection: close\r\n\r\n`;
  await many(AT_ONCE, text);
  await app.ask('/ring');
  await app.ask('/measure');
  await many(LOGGED, text);
  const ring = await app.ask<Ring>('/ring');
  assert.equal(ring.kept, LOGGED);
  assert.equal(ring.wrong, 0);
  assert.ok(ring.bytesEach <= KEPT_BYTES_MAX, `${ring.bytesEach} bytes each`);
});
