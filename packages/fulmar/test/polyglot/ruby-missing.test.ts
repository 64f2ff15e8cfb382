/** A Ruby that is missing, too old, another one, or without its library: what is said. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { GuestLanguage } from '../../src/polyglot/language-api.ts';
import { rubyLanguage } from '../../src/polyglot/languages/ruby.ts';

const folder = mkdtempSync(join(tmpdir(), 'fulmar-ruby-'));
const before = process.env['FULMAR_RUBY'];
const setRuby = (file: string | undefined): void => {
  if (file === undefined) delete process.env['FULMAR_RUBY'];
  else process.env['FULMAR_RUBY'] = file;
};

/** A program that answers as a Ruby would. */
function pretend(answer: string): string {
  const file = join(folder, 'ruby');
  writeFileSync(file, `#!/bin/sh\ncat <<'EOF'\n${answer}\nEOF\n`);
  chmodSync(file, 0o755);
  return file;
}

const described = (more: object): string =>
  JSON.stringify({ version: '3.3.1', implementation: 'ruby', executable: '/opt/ruby', shared: true, library: null, ...more });

const expectations: readonly (readonly [string, string, RegExp])[] = [
  [
    'too old',
    described({ version: '2.7.8', library: '/lib/libruby-2.7.so' }),
    /\/opt\/ruby is Ruby 2\.7\.8: 3\.0 or newer is expected.*apt-get install ruby/,
  ],
  ['another implementation', described({ implementation: 'jruby' }), /\/opt\/ruby is jruby: CRuby 3\.0 or newer is expected/],
  ['without its library', described({}), /Ruby 3\.3\.1\) has no shared library: its file is missing \(Debian: apt-get install libruby/],
  ['built without one', described({ shared: false }), /RUBY_CONFIGURE_OPTS=--enable-shared rbenv install 3\.3\.1/],
  ['no Ruby at all', 'hello', /is no Ruby: it answered "hello"/],
  ['with a library that is none', described({ library: join(folder, 'ruby') }), /the library of Ruby could not be opened: .*ruby/],
  ['with the library of something else', described({ library: 'libc.so.6' }), /libc\.so\.6 is no library of CRuby's/],
];

describe('a Ruby that cannot be used', () => {
  // One that has not been looked for yet.
  let ruby: GuestLanguage;
  beforeEach(() => (ruby = new GuestLanguage(rubyLanguage)));
  after(() => {
    setRuby(before);
    rmSync(folder, { recursive: true });
  });

  for (const [name, answer, message] of expectations)
    it(`says so: ${name}`, { skip: answer.includes('libc.so.6') && process.platform !== 'linux' }, async () => {
      setRuby(pretend(answer));
      await assert.rejects(ruby.start(), { code: 'ERR_GUEST_UNAVAILABLE', message });
      assert.throws(() => ruby.eval('1', { sync: true }), { code: 'ERR_GUEST_UNAVAILABLE', message });
    });

  it('says so where there is no such program, or one that fails', async () => {
    setRuby(join(folder, 'nowhere'));
    await assert.rejects(ruby.start(), {
      code: 'ERR_GUEST_UNAVAILABLE',
      message: /there is no .*nowhere \(FULMAR_RUBY\)\. Install Ruby 3\.0/,
    });
    assert.throws(() => ruby.eval('1', { sync: true }), { code: 'ERR_GUEST_UNAVAILABLE', message: /there is no .*nowhere/ });
    setRuby('/bin/false');
    ruby = new GuestLanguage(rubyLanguage);
    await assert.rejects(ruby.start(), {
      code: 'ERR_GUEST_UNAVAILABLE',
      message: /\/bin\/false \(FULMAR_RUBY\) could not be asked where its library is: it ended with 1\. Install/,
    });
  });

  it('is used where it can be', async (t) => {
    setRuby(before);
    const { problem } = await ruby.look();
    if (problem !== null) return t.skip(problem);
    assert.equal(await ruby.eval('1 + 1'), 2);
  });
});
