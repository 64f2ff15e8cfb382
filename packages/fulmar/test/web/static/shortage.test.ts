import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SendStream } from '../../../src/web/static/send-stream.ts';
import { createStaticHandler } from '../../../src/web/static/serve-static.ts';

const file = fileURLToPath(import.meta.url);

function addons(): string[] {
  Object.assign(process.report, { excludeNetwork: true });
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
  return sharedObjects.filter((path) => /fulmar\.[\w-]+\.node$/.test(path));
}

it('a streamed file is sent where no server has loaded the engine, and does not load it', async () => {
  const serve = createStaticHandler(fileURLToPath(new URL('.', import.meta.url)), undefined, SendStream);
  const server = createServer((req, res) => serve(req as never, res as never, (error?: unknown) => res.writeHead(500).end(String(error))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/shortage.test.ts`);
    assert.equal(reply.status, 200);
    assert.equal(await reply.text(), process.getBuiltinModule('node:fs').readFileSync(file, 'utf8'));
    assert.deepEqual(addons(), []);
  } finally {
    server.close();
  }
});
