/** What the type checker knows of routes with JSON Schema and TypeBox: never run, checked with the sources. */
import { Type as Type0 } from '@sinclair/typebox';
import Type from 'typebox';
import type { App } from '../../src/app/index.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare function same<One, Other>(is: Same<One, Other>): void;
declare const app: App;

app.post(
  '/birds/:id',
  {
    params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    query: {
      type: 'object',
      properties: { page: { type: 'integer', default: 1 }, tags: { type: 'array', items: { type: 'string' } }, all: { type: 'boolean' } },
    },
    headers: { type: 'object', properties: { 'x-kind': { enum: ['a', 'b'] }, 'x-one': { const: 7 } }, required: ['x-kind'] },
    body: {
      type: 'object',
      properties: {
        name: { type: ['string', 'null'] },
        more: { anyOf: [{ type: 'string' }, { type: 'object', properties: { at: { type: 'number' } } }] },
      },
      required: ['name', 'more'],
    },
    response: { 200: { type: 'string' }, 404: Type.Null() },
  },
  (c) => {
    same<typeof c.params, { id: number }>(true);
    same<typeof c.query, { page: number; tags?: string[]; all?: boolean }>(true);
    same<typeof c.headers, { 'x-kind': 'a' | 'b'; 'x-one'?: 7 }>(true);
    same<typeof c.body, { name: string | null; more: string | { at?: number } }>(true);
    // @ts-expect-error: types that differ are not the same, or nothing here tests anything.
    same<typeof c.params, { id: string }>(true);
    return 'a';
  },
);

app.post(
  '/a',
  {
    body: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'null' } } },
      ],
    },
  },
  (c) => {
    same<typeof c.body.a, string>(true);
    same<typeof c.body.b, null | undefined>(true);
  },
);
app.post('/a', { body: { type: 'object', additionalProperties: { type: 'integer' } } }, (c) =>
  same<typeof c.body, Record<string, number>>(true),
);
app.post('/a', { body: { type: 'string', nullable: true } }, (c) => same<typeof c.body, string | null>(true));
app.post('/a', { body: { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } } }, (c) => same<typeof c.body, unknown>(true));
app.post('/a', { body: { properties: { a: { type: 'string' } } } }, (c) => same<typeof c.body, unknown>(true));

const loose = { type: 'object', properties: { a: { type: 'string' } } } as const;
app.post('/a', { body: loose }, (c) => same<typeof c.body, { a?: string }>(true));

app.post(
  '/a',
  {
    body: Type.Object({
      a: Type.String(),
      b: Type.Optional(Type.Array(Type.Union([Type.Literal('x'), Type.Null()]))),
      c: Type.Tuple([Type.Number(), Type.BigInt()]),
    }),
    query: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Unsafe<'u'>({ type: 'string' }) })]),
    cookies: Type.Record(Type.String(), Type.Enum(['x', 'y'])),
  },
  (c) => {
    same<typeof c.body, { a: string; b?: ('x' | null)[]; c: [number, bigint] }>(true);
    same<typeof c.query.a, string>(true);
    same<typeof c.query.b, 'u'>(true);
    same<typeof c.cookies, Record<string, 'x' | 'y'>>(true);
  },
);
app.post('/a', { body: Type0.Object({ a: Type0.String(), b: Type0.Optional(Type0.Date()) }) }, (c) =>
  same<typeof c.body, { a: string; b?: Date }>(true),
);
app.post('/a', { body: Type.Any() }, (c) => same<typeof c.body, unknown>(true));

// @ts-expect-error: there is no such type.
app.post('/a', { body: { type: 'strin' } }, () => 1);
// @ts-expect-error: this is no schema.
app.post('/a', { body: { name: { type: 'string' } } }, () => 1);

// What a handler returns: a text may still be a `Date`, members with a default may be missing.
const replied = {
  type: 'object',
  properties: { at: { type: 'string' }, page: { type: 'integer', default: 1 } },
  required: ['at'],
} as const;
app.get('/a', { response: replied }, () => ({ at: new Date(0) }));
app.get('/a', { response: Type.Array(Type.Object({ a: Type.Integer() })) }, () => [{ a: 1 }]);
// @ts-expect-error: a number is no text
app.get('/a', { response: replied }, () => ({ at: 7 }));
// @ts-expect-error: of TypeBox the same
app.get('/a', { response: Type.Array(Type.Integer()) }, () => ['a']);
