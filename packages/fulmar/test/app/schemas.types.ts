/** What the type checker knows in handlers of routes with schemas: never run, checked with the sources. */
import * as v from 'valibot';
import { type } from 'arktype';
import { z } from 'zod';
import type { App, BodyReader, Query } from '../../src/app/index.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Does not compile unless the two are the same. */
declare function same<One, Other>(is: Same<One, Other>): void;
declare const app: App;

const body = z.object({ name: z.string(), born: z.coerce.date() });

app.post(
  '/users/:id',
  {
    params: z.object({ id: z.coerce.number() }),
    query: v.object({ page: v.pipe(v.string(), v.transform(Number)) }),
    headers: type({ 'x-token': 'string' }),
    cookies: v.object({ session: v.string() }),
    body,
    response: { 200: z.string(), 404: z.null() },
    summary: 'A user is changed.',
    tags: ['users'],
    deprecated: false,
  },
  (c) => {
    same<typeof c.params, { id: number }>(true);
    same<typeof c.query, { page: number }>(true);
    same<typeof c.headers, { 'x-token': string }>(true);
    same<typeof c.cookies, { session: string }>(true);
    same<typeof c.body, { name: string; born: Date }>(true);
    // @ts-expect-error: types that differ are not the same, or nothing here tests anything.
    same<typeof c.body, { name: string }>(true);
    return c.body.name;
  },
);

app.get('/users/:id/:tab?', { query: z.object({ page: z.string() }) }, (c) => {
  same<typeof c.params, { readonly id: string; readonly tab?: string }>(true);
  same<typeof c.cookies, Readonly<Record<string, string>>>(true);
  same<typeof c.headers, Readonly<Record<string, string | undefined>>>(true);
  same<typeof c.body, BodyReader>(true);
});

app.put(
  '/users/:id',
  { body, query: z.object({ page: z.coerce.number() }) },
  (c, next) => {
    same<typeof c.query, Query>(true);
    same<typeof c.body, BodyReader>(true);
    same<typeof c.params, { readonly id: string }>(true);
    return next();
  },
  (_c, next) => next(),
  (c) => {
    same<typeof c.query, { page: number }>(true);
    return c.status(201).json(c.body.born);
  },
);

app.on(['PUT', 'PATCH'], '/a/:b', { body }, (c) => {
  same<typeof c.body.born, Date>(true);
  same<typeof c.params.b, string>(true);
});

app.get('/plain/:id', (c) => {
  same<typeof c.params, { readonly id: string }>(true);
  same<typeof c.query, Query>(true);
});
app.get(
  '/plain/:id',
  (c, next) => (c.params.id === '' ? undefined : next()),
  (c) => c.params.id,
);

// @ts-expect-error: the schema has no such member.
app.post('/a', { body }, (c) => c.body.age);
// @ts-expect-error: a route has no such option.
app.post('/a', { boddy: body }, () => 1);
// @ts-expect-error: this is no schema.
app.post('/a', { body: { name: 'string' } }, () => 1);
// @ts-expect-error: a handler is missing.
app.post('/a', { body });

// What a handler returns is judged by `response`, also in a promise; what is judged when it is sent is not.
app.get('/a', { response: z.object({ born: z.coerce.date() }) }, () => ({ born: new Date(0) }));
app.get('/a', { response: z.object({ kind: z.enum(['a', 'b']) }) }, async () => ({ kind: 'a' }));
app.get('/a', { response: { 200: z.string(), 204: z.null() } }, (c) => (c.method === 'HEAD' ? null : 'a'));
app.get('/a', { response: z.string() }, (c) => c.json({ any: 1 }));
app.get('/a', { response: z.string() }, (c) => c.status(204));
app.get('/a', { response: z.string() }, () => new Response('a'));
app.get(
  '/a',
  { response: z.string(), body },
  (c, next) => next(),
  (c) => c.body.name,
);
app.on('GET', '/a', { response: z.string() }, () => 'a');
// @ts-expect-error: a number is no text
app.get('/a', { response: z.string() }, () => 7);
// @ts-expect-error: the same in a promise
app.get('/a', { response: z.object({ name: z.string() }) }, async () => ({ name: 7 }));
// @ts-expect-error: nothing is returned
app.get('/a', { response: z.string() }, () => {});
// @ts-expect-error: the same of methods that are given
app.on('GET', '/a', { response: z.string() }, () => 7);
