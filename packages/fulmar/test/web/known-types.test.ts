import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeMemory } from '../../src/web/known-types.ts';

/** A database that counts how often it is asked. */
function database(): { lookUp: (type: string) => string | false; asked: () => number } {
  let asked = 0;
  const lookUp = (type: string): string | false => {
    asked++;
    return type === 'none' ? false : `${type}; found`;
  };
  return { lookUp, asked: () => asked };
}

test('asks the database for what is not known, once', () => {
  const { lookUp, asked } = database();
  const typeOf = createTypeMemory(lookUp, [['known', 'by heart']]);
  assert.deepEqual(
    [typeOf('known'), typeOf('a'), typeOf('a'), typeOf('none'), typeOf('none')],
    ['by heart', 'a; found', 'a; found', false, false],
  );
  assert.equal(asked(), 2);
});

test('goes on answering when its memory is full', () => {
  const { lookUp, asked } = database();
  const typeOf = createTypeMemory(lookUp);
  const names = Array.from({ length: 1_000 }, (_, i) => `x/${i}`);
  for (const name of [...names, ...names]) assert.equal(typeOf(name), `${name}; found`);
  assert.ok(asked() > names.length && asked() < 2 * names.length, `asked ${asked()} times`);
});
