/** Replies with a script, or with another page, on their way to the engine. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type WholeReply, withPage, withScript } from '../../src/dev/reply-change.ts';
import { DIGEST_CHARS, DIGEST_PLACE_SHIFT, ReplyFlag } from '../../src/exchange/format.ts';

const SCRIPT = '<script src="/_fulmar/client.js"></script>';

const reply = (change: Partial<WholeReply>): WholeReply => ({
  status: 200,
  reason: null,
  block: 'Content-Type: text/html; charset=utf-8\r\n',
  flags: ReplyFlag.date,
  body: '<body>x</body>',
  encoding: 'utf8',
  ...change,
});

describe('the script', () => {
  const added: [what: string, change: Partial<WholeReply>, expected: string][] = [
    ['text', {}, `<body>x${SCRIPT}</body>`],
    ['bytes', { body: Buffer.from('<body>ü</body>') }, `<body>ü${SCRIPT}</body>`],
    ['latin1', { body: '<body>ü</body>', encoding: 'latin1' }, `<body>ü${SCRIPT}</body>`],
    ['the last of two', { body: '<!-- </body> --></BODY >' }, `<!-- </body> -->${SCRIPT}</BODY >`],
    ['letters whose lower case is longer', { body: '<body>İİİİ</body>' }, `<body>İİİİ${SCRIPT}</body>`],
    ['no type of letters', { block: 'content-type: text/html\r\n' }, `<body>x${SCRIPT}</body>`],
    ['a page without that tag', { body: '\n<!DOCTYPE html><title>x</title>x' }, `\n<!DOCTYPE html><title>x</title>x${SCRIPT}`],
    ['an error of the application', { status: 500 }, `<body>x${SCRIPT}</body>`],
  ];
  for (const [what, change, expected] of added) {
    it(`is put before the end of the body: ${what}`, () => {
      const { body } = withScript(reply(change));
      assert.equal(typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString(), expected);
    });
  }

  const left: [what: string, change: Partial<WholeReply>][] = [
    ['another type', { block: 'Content-Type: text/plain\r\n' }],
    ['a type that begins so', { block: 'Content-Type: text/htmlx\r\n' }],
    ['no type', { block: '' }],
    ['an encoding', { block: 'Content-Type: text/html\r\nContent-Encoding: br\r\n' }],
    ['no content', { flags: ReplyFlag.noContent }],
    ['a part', { status: 206 }],
    ['a redirect', { status: 303 }],
    ['nothing', { body: null }],
    ['a piece of a page', { body: '<p>x</p><!doctype html>' }],
    ['a page that has it', { body: `<body>${SCRIPT}</body>` }],
  ];
  for (const [what, change] of left) {
    it(`is not put into ${what}`, () => {
      const given = reply(change);
      assert.equal(withScript(given), given);
    });
  }

  it('is counted by the length, and the tag stays that of the content as the application knows it', () => {
    const body = '<body>x</body>';
    const place = 'A'.repeat(DIGEST_CHARS);
    const block = `Content-Type: text/html\r\nContent-Length: 14\r\nX-A: Content-Length: 14\r\nETag: W/"e-${place}"\r\n`;
    const flags = ReplyFlag.date | ReplyFlag.digest | ((DIGEST_CHARS + 3) << DIGEST_PLACE_SHIFT);
    const changed = withScript(reply({ body, block, flags }));
    const digest = createHash('sha1').update(body).digest('base64').slice(0, DIGEST_CHARS);
    assert.equal(
      changed.block,
      `Content-Type: text/html\r\nContent-Length: ${14 + SCRIPT.length}\r\nX-A: Content-Length: 14\r\nETag: W/"e-${digest}"\r\n`,
    );
    assert.equal(changed.flags, ReplyFlag.date);
    assert.equal(changed.digest, digest);
  });

  it('is looked for in a page of a megabyte without haste or delay', () => {
    const started = performance.now();
    withScript(reply({ body: '</body '.repeat(150_000) }));
    withScript(reply({ body: `</body${' '.repeat(1_000_000)}` }));
    assert.ok(performance.now() - started < 2_000);
  });
});

it('a page in place of a reply keeps what is not said of content', () => {
  const block =
    'X-Powered-By: Express\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Type: application/json\r\nContent-Length: 7\r\nETag: "x"\r\n' +
    "Content-Security-Policy: default-src 'none'\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
  const flags = ReplyFlag.keepAlive | ReplyFlag.chunked | ReplyFlag.digest | (30 << DIGEST_PLACE_SHIFT);
  const changed = withPage(reply({ status: 503, block, flags }), { fields: 'Content-Type: text/html\r\n', html: '<p>' });
  assert.equal(changed.block, 'X-Powered-By: Express\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Type: text/html\r\n');
  assert.equal(changed.flags, ReplyFlag.keepAlive | ReplyFlag.contentLength);
  assert.deepEqual([changed.status, changed.body], [503, '<p>']);
});
