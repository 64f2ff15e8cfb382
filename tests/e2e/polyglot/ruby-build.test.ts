/** An application with files of Ruby, built into one file: what they require of their folder comes along. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ruby } from '../../../packages/fulmar/src/polyglot/index.ts';
import { fulmar, start } from '../cli/support.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-ruby-build-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const app = join(folder, 'app');
const files: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}',
  'ruby/text.rb': "require_relative 'parts/word'\n\ndef shout(text) = Word.loud(text)\n",
  'ruby/parts/word.rb': "require_relative('sign.rb')\n\nmodule Word\n  def self.loud(text) = text.upcase + SIGN\nend\n",
  'ruby/parts/sign.rb': "SIGN = '!'\n",
  'server.js': `import { createApp } from 'fulmar';
    import { ruby } from 'fulmar/polyglot';
    import text from './ruby/text.rb';
    const same = await ruby.import('./ruby/text.rb');
    const app = createApp();
    app.get('/:word', async (c) => (await text.shout(c.params.word)) + (await same.shout('b')));
    const server = await app.listen({ port: 0, host: '127.0.0.1' });
    console.log(\`PORT \${new URL(server.url).port}\`);`,
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(join(app, name, '..'), { recursive: true });
  writeFileSync(join(app, name), text);
}
mkdirSync(join(app, 'node_modules'));
symlinkSync(fileURLToPath(new URL('../../../packages/fulmar', import.meta.url)), join(app, 'node_modules', 'fulmar'));

const { problem } = await ruby.look();

it('an application with files of Ruby is built into one file', { skip: problem ?? false }, async () => {
  const { code, stderr } = await fulmar(app, ['build', 'server.js', '-o', join(folder, 'server.mjs')]);
  assert.equal(code, 0, stderr);
  const elsewhere = join(folder, 'elsewhere');
  cpSync(join(folder, 'server.mjs'), join(elsewhere, 'server.mjs'));
  rmSync(app, { recursive: true });
  const server = start(elsewhere, [join(elsewhere, 'server.mjs')], { plain: true });
  try {
    const reply = await fetch(`http://127.0.0.1:${await server.port()}/grüße`);
    assert.equal(await reply.text(), 'GRÜSSE!B!');
  } finally {
    server.kill('SIGTERM');
  }
  const ended = await server.ended;
  assert.equal(ended.code, 0, ended.stderr);
});
