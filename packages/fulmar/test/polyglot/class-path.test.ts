/** Where paths of `classPath` lead, from sources and from a built file. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { filesAt } from '../../src/polyglot/embedded.ts';
import { setGlobal } from '../../src/host/globals.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-class-path-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a built file has what it carries where it has unpacked it', () => {
  mkdirSync(join(folder, 'files/lib'), { recursive: true });
  writeFileSync(join(folder, 'files/lib/a.jar'), '');
  assert.deepEqual(filesAt('/app/lib/a.jar'), ['/app/lib/a.jar']);
  setGlobal('fulmar.bundle', { root: '/app', folder } as never);
  after(() => setGlobal('fulmar.bundle', undefined as never));
  assert.deepEqual(
    ['/app/lib/*', '/app/lib/a.jar', '/app/lib/missing.jar', '/app/no/*', '/elsewhere/c.jar', 'lib/a.jar'].flatMap(filesAt),
    [join(folder, 'files/lib/*'), join(folder, 'files/lib/a.jar'), '/app/lib/missing.jar', '/app/no/*', '/elsewhere/c.jar', 'lib/a.jar'],
  );
});
