/** Who sees what `fulmar dev` shows, and who may have it do something. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { join } from 'node:path';
import type { EditorPlace } from '../../src/dev/index.ts';
import { Access } from '../../src/dev/access.ts';
import type { Exchange } from '../../src/exchange/types.ts';
import { createServer } from '../../src/http/index.ts';
import { ask, browse, inspect, listen, root, tokenOf } from './support.ts';

interface Peer {
  readonly host?: string;
  readonly remote?: string | null;
  readonly local?: string;
}

const from = ({ host, remote = '127.0.0.1', local = '127.0.0.1' }: Peer): Exchange =>
  ({
    header: (name: string) => (name === 'host' ? host : undefined),
    connection: {
      remote: remote === null ? null : { address: remote, family: 'IPv4', port: 1 },
      local: { address: local, family: 'IPv4', port: 1 },
    },
  }) as unknown as Exchange;

describe('pages of ours', () => {
  const seen: [peer: Peer, listened?: string][] = [
    [{ host: 'localhost' }],
    [{ host: 'LOCALHOST:3000' }],
    [{ host: 'app.localhost:3000' }],
    [{ host: '127.0.0.1:3000' }],
    [{ host: '[::1]:3000', remote: '::1' }],
    [{ host: 'localhost', remote: '::ffff:127.0.0.1' }],
    [{ host: 'localhost', remote: null }],
    [{ host: '192.168.1.5:3000', remote: '192.168.1.5', local: '192.168.1.5' }, '192.168.1.5'],
    [{ host: '[fe80::1]', remote: 'fe80::1', local: 'fe80::1' }, 'fe80::1'],
  ];
  for (const [peer, host] of seen) {
    it(`are seen from ${JSON.stringify(peer)}`, () => {
      assert.equal(new Access({}).refusal(from(peer), host === undefined ? { port: 1 } : { port: 1, host }), null);
    });
  }

  const refused: [peer: Peer, listened?: string][] = [
    [{}],
    [{ host: '' }],
    [{ host: 'evil.example' }],
    [{ host: 'localhost.evil.example' }],
    [{ host: 'evil.example/localhost' }],
    [{ host: 'localhost@evil.example' }],
    [{ host: '127.0.0.1.evil.example' }],
    [{ host: 'localhost, evil.example' }],
    [{ host: '0.0.0.0:3000' }],
    [{ host: '0.0.0.0:3000' }, '0.0.0.0'],
    [{ host: '[::]:3000' }, '::'],
    [{ host: '192.168.1.5' }],
    [{ host: 'localhost', remote: '192.168.1.9', local: '192.168.1.5' }],
    [{ host: 'localhost', remote: '127.0.0.1.9', local: '192.168.1.5' }],
    [{ host: 'a'.repeat(100_000) }],
  ];
  for (const [peer, host] of refused) {
    it(`are refused to ${JSON.stringify(peer).slice(0, 100)}`, () => {
      assert.notEqual(new Access({}).refusal(from(peer), host === undefined ? { port: 1 } : { port: 1, host }), null);
    });
  }

  it('are seen by other machines and under other names where that is said', () => {
    const access = new Access({ remote: true, hosts: ['Dev.example'] });
    assert.equal(access.refusal(from({ host: 'dev.example:80', remote: '10.0.0.1' }), { port: 1 }), null);
    assert.notEqual(access.refusal(from({ host: 'evil.example', remote: '10.0.0.1' }), { port: 1 }), null);
  });
});

it('under another name nothing of ours is seen: neither pages, nor errors, nor the script', async (t) => {
  inspect(t);
  const server = createServer((req, res) => {
    if (req.url === '/fail') throw new Error('secret source');
    res.setHeader('Content-Type', 'text/html');
    res.end('<body></body>');
  });
  const port = await listen(t, server);
  const headers = { Host: 'evil.example' };
  for (const path of ['', '/state', '/events', '/client.js', '/requests/1', '/open'])
    assert.equal((await browse(port, `/_fulmar${path}`, { headers })).status, 403, path);
  assert.equal((await browse(port, '/', { headers })).text, '<body></body>');
  assert.equal((await browse(port, '/fail', { headers })).text, 'Internal Server Error\n');
});

it('scripts of other sites read no error, whatever the application lets them read', async (t) => {
  inspect(t);
  const server = createServer((_req, res) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    throw new Error('secret source');
  });
  const port = await listen(t, server);
  const shows = async (headers: Record<string, string>): Promise<boolean> =>
    (await browse(port, '/', { headers })).text.includes('secret source');
  assert.equal(await shows({ Origin: 'http://evil.example', 'Sec-Fetch-Mode': 'cors' }), false);
  assert.equal(await shows({ Origin: 'null' }), false);
  assert.equal((await ask(port, '/_fulmar/state', { headers: { Origin: 'http://evil.example' } })).status, 403);
  // A page that another site's form leads to, and what pages of this one fetch.
  assert.equal(await shows({ Origin: 'http://evil.example', 'Sec-Fetch-Mode': 'navigate' }), true);
  assert.equal(await shows({ Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Mode': 'cors' }), true);
});

describe('the editor', () => {
  const opened: EditorPlace[] = [];
  const openEditor = (place: EditorPlace): void => {
    if (place.line === 13) throw new Error('No <editor>.');
    opened.push(place);
  };
  const file = join(root, 'test', 'dev', 'access.test.ts');
  const pathOf = (name: string, more = '&line=3&column=5'): string => `/_fulmar/open?file=${encodeURIComponent(name)}${more}`;

  it('opens files of the project for pages of ours', async (t) => {
    inspect(t, { openEditor });
    const port = await listen(t, createServer());
    const headers = { 'X-Fulmar-Token': await tokenOf(port), Origin: `http://127.0.0.1:${port}` };
    assert.equal((await ask(port, pathOf(file), { method: 'POST', headers })).status, 204);
    assert.deepEqual(opened.splice(0), [{ file, line: 3, column: 5 }]);
    assert.equal((await ask(port, pathOf(file, '&line=1e3&column=-1'), { method: 'POST', headers })).status, 204);
    assert.deepEqual(opened.splice(0), [{ file, line: 1, column: 1 }]);
    for (const other of ['/etc/passwd', '../package.json', `${root}/../cli/package.json`, root, `${file}\0`, '', 'a'.repeat(4_000)])
      assert.equal((await ask(port, pathOf(other), { method: 'POST', headers })).status, 404, other);
    const failed = await ask(port, pathOf(file, '&line=13'), { method: 'POST', headers });
    assert.deepEqual([failed.status, failed.text, failed.headers['content-type']], [500, 'No <editor>.', 'text/plain; charset=utf-8']);
    assert.deepEqual(opened, []);
  });

  it('opens nothing for anybody else', async (t) => {
    inspect(t, { openEditor });
    const port = await listen(t, createServer());
    const token = await tokenOf(port);
    const own = `http://127.0.0.1:${port}`;
    const refused: [headers: Record<string, string>, method?: string][] = [
      [{}],
      [{ 'X-Fulmar-Token': token }],
      [{ Origin: own }],
      [{ Origin: own, 'X-Fulmar-Token': `${token.slice(1)}0` }],
      [{ Origin: own, 'X-Fulmar-Token': '' }],
      [{ Origin: 'http://evil.example', 'X-Fulmar-Token': token }],
      [{ Origin: 'null', 'X-Fulmar-Token': token }],
      [{ Origin: `http://127.0.0.1:${port + 1}`, 'X-Fulmar-Token': token }],
      [{ Origin: own, 'X-Fulmar-Token': token }, 'GET'],
    ];
    for (const [headers, method = 'POST'] of refused) {
      const { status } = await ask(port, pathOf(file), { method, headers });
      assert.equal(status, method === 'GET' ? 405 : 403, JSON.stringify(headers));
    }
    assert.deepEqual(opened, []);
  });
});
