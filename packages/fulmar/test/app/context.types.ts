/** Contexts and what takes them: never run, checked with the sources. */
import { z } from 'zod';
import type { AnyContext, App, Context, Middleware } from '../../src/app/index.ts';

declare const app: App;
declare function anyone(c: AnyContext): string;
declare function ofObject(c: Context<object>): string;
declare function ofPath(c: Context<{ readonly id: string }>): string;
declare const middleware: Middleware;

const body = z.object({ n: z.number() });

app.post('/:id', { body, query: z.object({ page: z.number() }), headers: z.object({}), cookies: z.object({}) }, middleware, (c) => [
  anyone(c),
  ofObject(c),
  ofPath(c),
  c.body.n,
]);
app.post('/:id', { params: z.object({ id: z.number() }) }, (c) => {
  // @ts-expect-error: the parameter is a number here.
  ofPath(c);
  return [anyone(c), ofObject(c)];
});
app.get('/:id', middleware, (c) => [anyone(c), ofObject(c), ofPath(c)]);
app.use((c, next) => {
  anyone(c);
  // Middleware sees all as it came.
  c.query['page'];
  return next();
});
app.onError((_, c) => anyone(c));
