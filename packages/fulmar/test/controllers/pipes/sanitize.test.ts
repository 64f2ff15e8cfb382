/**
 * `SanitizePipe`: what is taken out of texts, and how long that takes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadRequestException, Body, Controller, Module, NestFactory, Post, Query, SanitizePipe } from '../../../src/controllers/index.ts';

const pipe = new SanitizePipe();

const TEXTS: readonly (readonly [given: string, clean: string])[] = [
  ['Ada & <b>Bob</b>', 'Ada & Bob'],
  ['a < b, c > d', 'a < b, c > d'],
  ['x<script>alert(1)</script >y', 'xy'],
  ['x<SCRIPT src=a>alert(1)', 'x'],
  ['x<style>a{}</style>y', 'xy'],
  ['<img src=x onerror=alert(1)>', ''],
  ['<scr<script></script>ipt>alert(1)</script>', 'alert(1)'],
  ['javascript:alert(1)', 'alert(1)'],
  ['JaVaScRiPt:javajavascript:script:x', 'x'],
  ['java<b>script:x', 'x'],
  ['java\u0000script:x', 'x'],
  ['a\u202Eb\u0007c\td\n', 'abc\td\n'],
  ['İ<script>x</script>İ', 'İİ'],
  ['time: 12:30', 'time: 12:30'],
];

for (const [given, clean] of TEXTS)
  test(`${JSON.stringify(given)} becomes ${JSON.stringify(clean)}`, () => assert.equal(pipe.transform(given), clean));

test('texts of lists and objects are cleaned in copies, and all else is left', () => {
  const date = new Date(0);
  const given = { a: ['<b>x</b>'], n: 1, date, none: null };
  assert.deepEqual(pipe.transform(given), { a: ['x'], n: 1, date, none: null });
  assert.deepEqual(given.a, ['<b>x</b>']);
});

test('no key reaches a prototype, and nothing hides in the deep', () => {
  const clean = pipe.transform(JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}},"b":{"__proto__":1}}'));
  assert.deepEqual([Reflect.ownKeys(clean), Reflect.ownKeys(clean.b)], [['b'], []]);
  let deep: unknown = '<b>';
  for (let depth = 0; depth < 200; depth += 1) deep = [deep];
  assert.throws(() => pipe.transform(deep), BadRequestException);
});

test('it is named as a class, alone or behind a name', async () => {
  @Controller()
  class Comments {
    @Post()
    add(@Body(SanitizePipe) comment: object, @Query('by', SanitizePipe) by: string) {
      return { comment, by };
    }
  }
  @Module({ controllers: [Comments] })
  class App {}
  const app = await NestFactory.create(App, { logger: false });
  const reply = await app.inject({ method: 'POST', url: '/?by=%3Cb%3EAda', body: { text: '<b>a' } });
  assert.deepEqual(reply.json(), { comment: { text: 'a' }, by: 'Ada' });
  await app.close();
});

test('what is long takes its time once', () => {
  const began = performance.now();
  for (const piece of ['<script', '<', '</script', 'javascript', ':', 'java', '<script></script', 'javascript:', '<a '])
    pipe.transform(piece.repeat(1_000_000 / piece.length));
  pipe.transform('java'.repeat(100_000) + 'script:'.repeat(50_000));
  pipe.transform('javascript'.repeat(50_000) + ':'.repeat(50_000));
  assert.ok(performance.now() - began < 5000);
});

test('schemes that browsers read, and tags that come about', () => {
  assert.equal(pipe.transform('a\tjava\n\tscript\r:b'), 'a\tb');
  assert.equal(pipe.transform('a: b\njavascript: c:'), 'a: b\n c:');
  assert.equal(pipe.transform('<<b>script>steal()<<b>/script>'), 'steal()');
});
