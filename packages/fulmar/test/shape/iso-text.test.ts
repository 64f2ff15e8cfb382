/** Texts of dates against the platform's, and that what an application has put in its place is asked. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dateJsonText, isoText } from '../../src/shape/iso-text.ts';
import { asJson } from '../../src/shape/validate/convert-object.ts';
import { randomOf } from './random-schema.ts';

describe('isoText', () => {
  it('gives what toISOString gives, near every border and at random', () => {
    const seed = 861_126;
    const random = randomOf(seed);
    const borders = ['0000-01-01T00:00Z', '0004-02-29T00:00Z', '1970-01-01T00:00Z', '2000-03-01T00:00Z', '9999-12-31T23:59:59.999Z'].map(
      (text) => Date.parse(text),
    );
    const near = [...borders, 8.64e15 - 2, 2 - 8.64e15].flatMap((ms) => [-2, -1, 0, 1, 2].map((more) => ms + more));
    const anywhere = Array.from({ length: 20_000 }, () => Math.floor((random() - 0.5) * 2 * 3e14));
    // Days that share a place among those that are kept.
    const sharing = Array.from({ length: 200 }, (_, at) => at * 64 * 86_400_000 - 1);
    for (const ms of [-0, ...near, ...anywhere, ...sharing]) assert.equal(isoText(ms), new Date(ms).toISOString(), `${ms}, seed ${seed}`);
  });

  it('throws for what is no time, as the platform does', () => {
    for (const ms of [NaN, Infinity, 8.64e15 + 1]) assert.throws(() => isoText(ms), RangeError);
  });
});

describe('dateJsonText', () => {
  it('leaves alone what is no date, no time, or says its JSON itself', () => {
    class Day extends Date {
      override toJSON(): string {
        return 'a day';
      }
    }
    const own = Object.assign(new Date(0), { toISOString: () => 'own' });
    for (const value of [null, 0, '1970-01-01', {}, new Date(NaN), own, new Day(0)]) assert.equal(dateJsonText(value), undefined);
    assert.throws(() => dateJsonText(Object.create(Date.prototype)), TypeError);
    assert.deepEqual([asJson(own), asJson(new Day(0)), asJson(new Date(NaN))], ['own', 'a day', null]);
    assert.equal(dateJsonText(new Date(1)), '1970-01-01T00:00:00.001Z');
    assert.equal(dateJsonText(new (class extends Date {})(1)), '1970-01-01T00:00:00.001Z');
  });

  it('asks what an application puts in the place of toJSON or toISOString', () => {
    for (const name of ['toJSON', 'toISOString'] as const) {
      const before = Date.prototype[name];
      Date.prototype[name] = () => 'patched';
      try {
        assert.equal(asJson(new Date(0)), 'patched');
      } finally {
        Date.prototype[name] = before;
      }
    }
    assert.equal(asJson(new Date(0)), '1970-01-01T00:00:00.000Z');
  });
});
