/** What a page pays for the client: one module without imports, as a bundler writes it, compressed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const GZIPPED_BYTES_MAX = 5 * 1024;
/** It reads and writes, and knows what its server speaks. */
const BINARY_BYTES_MAX = 5.25 * 1024;
const entry = fileURLToPath(new URL('../../../client/src/index.ts', import.meta.url));

async function bundled(text: string): Promise<string> {
  const plugin = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? id : undefined),
    load: (id: string) => (id === 'entry' ? text : undefined),
  };
  const bundle = await rolldown({ input: 'entry', platform: 'neutral', plugins: [plugin] });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  assert.equal(output.length, 1);
  assert.deepEqual(output[0].imports, []);
  return output[0].code;
}

test('the client is 5 KB at most', async () => {
  const code = await bundled(`export * from ${JSON.stringify(entry)}`);
  assert.ok(code.length > 2000, 'there is a client in it');
  const bytes = gzipSync(code).length;
  assert.ok(bytes <= GZIPPED_BYTES_MAX, `${bytes} bytes`);
});

test('the binary form is a part by itself, about as large', async () => {
  const part = fileURLToPath(new URL('../../../client/src/binary.ts', import.meta.url));
  const code = await bundled(`export * from ${JSON.stringify(part)}`);
  const bytes = gzipSync(code).length;
  assert.ok(bytes > 1000 && bytes <= BINARY_BYTES_MAX, `${bytes} bytes`);
  assert.doesNotMatch(await bundled(`export * from ${JSON.stringify(entry)}`), /of the binary form/);
  assert.match(code, /of the binary form/);
});

test('a page that uses none of it has none of it', async () => {
  assert.ok((await bundled(`import { createClient } from ${JSON.stringify(entry)}; export const page = 1;`)).length < 200);
});
