/** Content types of version 4: what is known by heart must be what the table says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mime4 } from '../../../src/express/lazy.ts';
import {
  charsetOf,
  completeType,
  exposeMime,
  KNOWN,
  lookupType,
  normalizeType,
  withUtf8,
} from '../../../src/express/express4/media-types.ts';

test('types known by heart are those of the table', () => {
  for (const [extension, type] of KNOWN) assert.equal(type, mime4().lookup(extension));
});

test('charsets known by heart are those of the table', () => {
  const { types } = mime4() as unknown as { types: Readonly<Record<string, string>> };
  for (const type of Object.values(types)) assert.equal(charsetOf(type), mime4().charsets.lookup(type), type);
});

test('a name is looked up by what follows its last dot or slash', () => {
  const names = ['html', '.HTML', 'a/b.txt', 'a.tar.gz', 'folder/json', 'c:\\x\\css', '', 'none', 'a.'];
  for (const name of names) assert.equal(lookupType(name), mime4().lookup(name), name);
});

test('a charset is added to text types that have none', () => {
  const completed = [
    ['text/x', 'text/x; charset=utf-8'],
    ['text/x;a=b', 'text/x;a=b; charset=utf-8'],
    ['text/x; charset=latin1', 'text/x; charset=latin1'],
    ['application/json5', 'application/json5; charset=utf-8'],
    ['application/xml', 'application/xml'],
    ['TEXT/PLAIN', 'TEXT/PLAIN'],
  ];
  for (const [type, complete] of completed) assert.equal(completeType(type as string), complete);
});

test('the charset of text is UTF-8 whatever it was, and a malformed type is an error each time', () => {
  assert.equal(withUtf8('Text/Plain; b=2; charset=latin1; a=1'), 'text/plain; a=1; b=2; charset=utf-8');
  for (let i = 0; i < 2; i++) assert.throws(() => withUtf8('nonsense'), { name: 'TypeError', message: 'invalid media type' });
});

test('types with parameters are told from short names', () => {
  assert.equal(normalizeType('text/html ; q=0.3'), 'text/html');
  assert.equal(normalizeType('json'), 'application/json');
});

// Last: what it changes stays changed.
test('changes to the exposed table count at once', () => {
  const mime = exposeMime() as ReturnType<typeof exposeMime> & { define(types: Record<string, string[]>): void };
  mime.define({ 'text/x-mine': ['html', 'mine'] });
  assert.equal(lookupType('html'), 'text/x-mine');
  assert.equal(lookupType('a.mine'), 'text/x-mine');
});
