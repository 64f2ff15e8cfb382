/**
 * `DTO` and `CommonDTO`: the schemas they make, and what these take.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyContext, createApp } from '../../../src/app/index.ts';
import { CommonDTO, DTO, type Static } from '../../../src/controllers/index.ts';

const User = DTO.Strict({
  name: DTO.Optional(DTO.String({ minLength: 2, maxLength: 50, error: 'Name must be between 2 and 50 characters' })),
  email: CommonDTO.Email({ description: 'User email address', error: 'Please provide a valid email address' }),
  tags: DTO.Optional(DTO.Array(DTO.String({ errorMessage: 'A tag is a text' }), { error: 'Tags are texts' })),
  role: DTO.Optional(DTO.UnionEnum(['admin', 'user'])),
  address: DTO.Optional(DTO.Object({ city: DTO.String() }, { error: 'An address has a city' })),
});
type UserType = Static<typeof User>;
// The type is what the schema takes.
const ada: UserType = { email: 'ada@example.org', tags: ['a'], role: 'admin' };

const Find = DTO.Strict({
  deep: DTO.Optional(DTO.Boolean({ default: false })),
  page: DTO.Optional(DTO.Numeric({ minimum: 1, error: 'A page is a number' })),
});

async function judge(schema: object, body: unknown): Promise<unknown> {
  const app = createApp();
  app.post('/', { body: schema } as never, (c: AnyContext) => ({ value: c.body as unknown }));
  const reply = await app.inject({ method: 'POST', url: '/', body: body as object });
  const { value, errors } = reply.json() as { value?: unknown; errors?: readonly { path: unknown[]; message: string }[] };
  return errors === undefined ? value : errors.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('unknown members are left out, and the texts of the schema are told, one for a member', async () => {
  assert.deepEqual(await judge(User, { ...ada, extra: 1 }), ada);
  assert.deepEqual(await judge(User, { name: 'A', email: 'x', tags: [1, 'a'], role: 'none', address: { town: 1 } }), [
    'name: Name must be between 2 and 50 characters',
    'email: Please provide a valid email address',
    'tags.0: A tag is a text',
    'role: Expected "admin" | "user", received string.',
    'address.city: An address has a city',
  ]);
  assert.deepEqual(await judge(User, { email: 'a@b.co', tags: 'a' }), ['tags: Tags are texts']);
  assert.deepEqual(await judge(User, {}), ['email: Please provide a valid email address']);
  assert.deepEqual(await judge(DTO.Strict({ a: DTO.Number() }, { additionalProperties: true }), { a: 1, b: 2 }), { a: 1, b: 2 });
});

test('texts of queries become what the schema says', async () => {
  const app = createApp();
  app.get('/', { query: Find } as never, (c: AnyContext) => ({ ...(c.query as object) }));
  assert.deepEqual((await app.inject('/?deep=true&page=2&x=1')).json(), { deep: true, page: 2 });
  assert.deepEqual((await app.inject('/')).json(), { deep: false });
  const refused = await app.inject('/?page=x');
  assert.deepEqual([refused.status, /A page is a number/.test(refused.text)], [422, true]);
});

test('schemas are plain JSON Schema', () => {
  assert.deepEqual(Find, {
    type: 'object',
    properties: { deep: { type: 'boolean', default: false }, page: { type: 'number', minimum: 1, 'x-error': 'A page is a number' } },
    additionalProperties: false,
    'x-unknown': 'strip',
  });
  const Cat = DTO.Object({ id: DTO.Integer(), name: DTO.Optional(DTO.String()) });
  assert.deepEqual(Cat.required, ['id']);
  assert.deepEqual(DTO.Partial(Cat), { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } });
  assert.deepEqual(DTO.Required(Cat).required, ['id', 'name']);
  assert.deepEqual(DTO.Pick(Cat, ['name']), { type: 'object', properties: { name: { type: 'string' } } });
  assert.deepEqual(DTO.Omit(Cat, ['name']), { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] });
  assert.deepEqual(DTO.Partial(User).additionalProperties, false);
});

const SAMPLES: readonly (readonly [name: string, schema: object, right: unknown, wrong: unknown])[] = [
  ['Integer', DTO.Integer(), 1, 1.5],
  ['Null', DTO.Null(), null, 0],
  ['Literal', DTO.Literal('a'), 'a', 'b'],
  ['Enum of texts', DTO.Enum({ A: 'a' }), 'a', 'A'],
  ['Enum of numbers', DTO.Enum({ A: 1, 1: 'A' }), 1, 'A'],
  ['Union', DTO.Union([DTO.String(), DTO.Number()]), 1, true],
  ['Intersect', DTO.Intersect([DTO.Object({ a: DTO.Number() }), DTO.Object({ b: DTO.Number() })]), { a: 1, b: 1 }, { a: 1 }],
  ['Nullable', DTO.Nullable(DTO.String()), null, 1],
  ['Tuple', DTO.Tuple([DTO.String(), DTO.Number()]), ['a', 1], ['a']],
  ['Record', DTO.Record(DTO.String(), DTO.Number()), { a: 1 }, { a: 'b' }],
  ['Record by pattern', DTO.Record(DTO.String({ pattern: '^a' }), DTO.Number()), { ab: 1 }, { b: 1 }],
  ['Name', CommonDTO.Name(), 'Ada', 'A'],
  ['Password', CommonDTO.Password({ minLength: 3 }), 'abc', 'ab'],
  ['UUID', CommonDTO.UUID(), '6f1e2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b', 'x'],
  ['URL', CommonDTO.URL(), 'https://example.org/a', 'x y'],
  ['DateString', CommonDTO.DateString(), '2026-01-01T00:00:00Z', 'yesterday'],
  ['PhoneIN', CommonDTO.PhoneIN(), '9876543210', '1234567890'],
  ['ID', CommonDTO.ID(), 1, 0],
  ['Pagination', CommonDTO.Pagination(), { page: 1, limit: 10 }, { page: 0 }],
  ['Sort', CommonDTO.Sort(['name']), { sortBy: 'name', sortOrder: 'asc' }, { sortBy: 'age' }],
];

for (const [name, schema, right, wrong] of SAMPLES)
  test(`${name} takes ${JSON.stringify(right)} and not ${JSON.stringify(wrong)}`, async () => {
    const given = DTO.Object({ value: schema as never });
    assert.deepEqual(await judge(given, { value: right }), { value: right });
    assert.equal(Array.isArray(await judge(given, { value: wrong })), true);
  });

test('what is no schema is told where it stands', () => {
  assert.throws(() => DTO.Object({ a: String as never }), /DTO\.Object\(\): a is a schema, such as DTO\.String\(\)/);
  assert.throws(() => DTO.Partial(DTO.String()), /takes a schema of DTO\.Object\(\)/);
  assert.throws(() => DTO.String({ error: (() => 'x') as never }), /error of a DTO is the text/);
  assert.throws(() => createApp().post('/', { body: DTO.String({ minLenght: 1 }) } as never, () => 1), /no keyword minLenght/);
});
