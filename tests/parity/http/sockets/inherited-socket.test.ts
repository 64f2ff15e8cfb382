/**
 * A server on a Unix socket that another process has bound, and goes on to use: what it tells of it, and that
 * it leaves the file alone.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

const PROGRAM = `
  const server = require(process.argv[1]).createServer();
  server.listen({ fd: 3 }, () => {
    console.log(server.address());
    server.close(() => console.log('closed', server.address()));
  });
`;

/** What a program prints that serves with this module on the socket that it inherits. */
async function run(module: string, socket: Server): Promise<string> {
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  const child = spawn(process.env['FULMAR_TEST_NODE'] ?? process.execPath, ['-e', PROGRAM, module], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit', fd],
  });
  return text(child.stdout!);
}

test('a Unix socket of another process has no address, and its file outlives the server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-socket-'));
  const path = join(folder, 'socket');
  const socket = createServer().listen(path);
  try {
    const upstream = await run('node:http', socket);
    assert.equal(await run('fulmar/http', socket), upstream);
    assert.equal(upstream, 'null\nclosed null\n');
    assert.ok(existsSync(path));
  } finally {
    socket.close();
    rmSync(folder, { recursive: true });
  }
});
