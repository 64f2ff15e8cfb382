/** Processes of Java are started with what Java is configured with, and find class paths beside the file that calls. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { java } from '../../src/polyglot/index.ts';

const { problem } = await java.look();

test('isolated Java has the options of the virtual machine, and paths beside the caller', { skip: problem ?? false }, async () => {
  java.configure({ jvmOptions: ['-Dfulmar.isolated=yes'] });
  const { library } = await java.look();
  java.configure({ home: dirname(dirname(dirname(String(library)))) });
  java.configure({ threads: 2 });
  const guest = java.isolated();
  after(() => guest.close());
  const system = (await guest.import('java.lang.System')) as unknown as { getProperty(name: string): Promise<unknown> };
  assert.equal(await system.getProperty('fulmar.isolated'), 'yes');
  assert.equal(java.isStarted, false);
  await assert.rejects(
    guest.import('com.acme.Model', { options: { classPath: './nowhere.jar' } }),
    /classPath: there is no \/.*nowhere\.jar/,
  );
});
