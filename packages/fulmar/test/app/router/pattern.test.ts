import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePattern } from '../../../src/app/router/pattern.ts';
import { RouteError } from '../../../src/app/router/route-error.ts';

const text = (value: string): object => ({ kind: 'text', text: value });
const parameter = (name: string, isOptional = false): object => ({ kind: 'parameter', name, isOptional });
const rest = (name: string): object => ({ kind: 'rest', name });
const mixed = (texts: readonly string[], names: readonly string[]): object => ({ kind: 'mixed', texts, names });

describe('parsePattern', () => {
  const patterns: readonly (readonly [path: string, segments: readonly object[]])[] = [
    ['/', [text('')]],
    ['/a', [text('a')]],
    ['/a/', [text('a'), text('')]],
    ['/a/:b', [text('a'), parameter('b')]],
    ['/:b/', [parameter('b'), text('')]],
    ['/:b?', [parameter('b', true)]],
    ['/:a/:b?/:c?/*d', [parameter('a'), parameter('b', true), parameter('c', true), rest('d')]],
    ['/*', [rest('*')]],
    ['/a/*b', [text('a'), rest('b')]],
    ['/:a.json', [mixed(['', '.json'], ['a'])]],
    ['/v:a-:b', [mixed(['v', '-', ''], ['a', 'b'])]],
    ['/v:a', [mixed(['v', ''], ['a'])]],
    ['/:$a_1', [parameter('$a_1')]],
    ['/:a%C3%A9', [mixed(['', 'é'], ['a'])]],
    ['/a\\:b\\*\\?\\\\', [text('a:b*?\\')]],
    ['/\\::a', [mixed([':', ''], ['a'])]],
    ['/caf%c3%a9%2f%25', [text('café%2F%25')]],
    ['/5%', [text('5%25')]],
    ['/a.b-c_d~e@f$g', [text('a.b-c_d~e@f$g')]],
  ];
  for (const [path, segments] of patterns) {
    it(`reads ${path}`, () => assert.deepEqual(parsePattern(path), segments));
  }

  const refused: readonly (readonly [path: string, reason: RegExp])[] = [
    ['', /begins with '\/'/],
    ['a', /begins with '\/'/],
    ['*', /begins with '\/'/],
    ['//', /between two slashes/],
    ['/a//b', /between two slashes/],
    ['/:', /name behind ':'/],
    ['/:/a', /name behind ':'/],
    ['/a/:?', /name behind ':'/],
    ['/:1', /name behind ':'/],
    ['/at/10:30', /name behind ':'/],
    ['/:größe', /ASCII letters/],
    ['/:名', /name behind ':'/],
    ['/:a:b', /between two parameters/],
    ['/x:a:b', /between two parameters/],
    ['/:a/:a', /"a" twice/],
    ['/:a-:a', /"a" twice/],
    ['/:a/*a', /"a" twice/],
    ['/*a/b', /nothing behind the wildcard/],
    ['/*/', /nothing behind the wildcard/],
    ['/*a/*b', /nothing behind the wildcard/],
    ['/*a.json', /as a whole segment/],
    ['/*a?', /as a whole segment/],
    ['/**', /as a whole segment/],
    ['/a*', /no '\*' within/],
    ['/:a*', /no '\*' within/],
    ['/a?', /no '\?' within/],
    ['/?', /no '\?' within/],
    ['/:a??', /whole segment/],
    ['/:a?.json', /whole segment/],
    ['/x:a?', /whole segment/],
    ['/:a-:b?', /whole segment/],
    ['/:a?/b', /behind an optional parameter/],
    ['/:a?/:b', /behind an optional parameter/],
    ['/:a?/', /behind an optional parameter/],
    ['/:a?/:b.json', /behind an optional parameter/],
    ['/a\\', /behind a '\\'/],
    ['/a\\/b', /behind a '\\'/],
    ['/\\a', /behind a '\\'/],
  ];
  for (const [path, reason] of refused) {
    it(`refuses ${JSON.stringify(path)}`, () => {
      assert.throws(
        () => parsePattern(path, 'app.ts:7'),
        (error: unknown) => {
          assert.ok(error instanceof RouteError);
          assert.match(error.message, reason);
          assert.ok(error.message.includes(`${JSON.stringify(path)} at app.ts:7`), error.message);
          assert.equal(error.path, path);
          assert.equal(error.place, 'app.ts:7');
          return true;
        },
      );
    });
  }
});
