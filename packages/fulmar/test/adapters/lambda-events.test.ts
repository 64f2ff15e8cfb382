/**
 * Recorded kinds of events × kinds of applications × requests: what Lambda is given back is, byte for byte,
 * what a socket carries for the same request.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lambda, type LambdaResult } from '../../src/adapters/lambda/index.ts';
import { applications, BYTES, type Flavour } from './applications.ts';
import { type AskedEvent, type EventKind, eventOf, KINDS } from './events.ts';
import { askPort, keptLines, type OnPort, onPort, type Reply } from './sockets.ts';

const requests: Readonly<Record<string, AskedEvent>> = {
  'plain text': { path: '/' },
  'a query': { path: '/json', query: 'b=2&c=%C3%A4%20%26&empty=' },
  'content of text': { path: '/echo', body: '{"name":"fulmar ✓"}', headers: { 'content-type': 'application/json' } },
  'content of bytes': { path: '/echo', body: BYTES, headers: { 'content-type': 'application/octet-stream' } },
  'a reply of bytes': { path: '/bytes' },
  'three cookies': { path: '/cookies' },
  HEAD: { method: 'HEAD', path: '/' },
  'HEAD of a stream': { method: 'HEAD', path: '/stream' },
  '204': { path: '/nothing' },
  '304': { path: '/same' },
  '404': { path: '/none' },
  'a status and a list': { path: '/teapot' },
  'text beyond ASCII': { path: '/unicode' },
  'text in another charset': { path: '/latin1' },
  'compressed content': { path: '/gzip' },
  'a streamed reply': { path: '/stream' },
  'cookies and fields of a request': { path: '/seen', headers: { 'x-one': 'a, b' }, cookies: ['one=1', 'two=2'] },
  'a redirection': { path: '/moved' },
  'a reply of no bytes': { path: '/empty' },
  'an image that is text': { path: '/image' },
  'text that is none': { path: '/false-text' },
  'an escaped path': { path: '/path/%C3%A4%20b%2Fc' },
  DELETE: { method: 'DELETE', path: '/seen' },
  'PUT without content': { method: 'PUT', path: '/seen' },
};

function onSocket(port: number, { method, path, query, headers = {}, cookies, body }: AskedEvent): Promise<Reply> {
  const fields: [string, string][] = [['host', 'localhost'], ...Object.entries(headers)];
  if (cookies !== undefined) fields.push(['cookie', cookies.join('; ')]);
  const content = body === undefined ? null : Buffer.from(body as string);
  return askPort(port, {
    method: method ?? (content === null ? 'GET' : 'POST'),
    target: query === undefined ? path : `${path}?${query}`,
    fields,
    content,
  });
}

/** The result as the platform would send it; each format has exactly the members it may have. */
function replyOf(kind: EventKind, result: LambdaResult): Reply {
  const { statusCode, headers, multiValueHeaders, cookies, body, isBase64Encoded, ...others } = result;
  assert.deepEqual(others, {});
  const isMulti = kind === 'v1' || kind === 'alb-multi';
  assert.equal(multiValueHeaders !== undefined, isMulti);
  assert.equal(headers !== undefined, !isMulti);
  if (kind !== 'v2') assert.equal(cookies, undefined);
  const lines: [string, string][] = [];
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) for (const value of values) lines.push([name, value]);
  for (const [name, value] of Object.entries(headers ?? {})) lines.push([name, value]);
  for (const value of cookies ?? []) lines.push(['set-cookie', value]);
  return { status: statusCode, lines: keptLines(lines), content: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') };
}

const sorted = (lines: Reply['lines']): string[] => lines.map((line) => line.join(': ')).toSorted();

for (const flavour of Object.keys(applications) as Flavour[]) {
  describe(`lambda: ${flavour}`, () => {
    const application = applications[flavour]();
    let served: OnPort;
    before(async () => void (served = await onPort(applications[flavour]())));
    after(() => served.close());
    for (const kind of KINDS) {
      const handler = lambda(application);
      for (const [name, asked] of Object.entries(requests)) {
        it(`${kind}: ${name}`, async () => {
          const expected = await onSocket(served.port, asked);
          const reply = replyOf(kind, (await handler(eventOf(kind, asked))) as LambdaResult);
          assert.equal(reply.status, expected.status);
          assert.deepEqual(sorted(reply.lines), sorted(expected.lines));
          assert.deepEqual(reply.content, expected.content);
        });
      }
    }
  });
}
