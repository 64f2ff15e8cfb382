/** What the type checker knows of what plugins add: never run, checked with the sources. */
import { z } from 'zod';
import { type App, createApp, definePlugin } from '../../src/app/index.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare function same<One, Other>(is: Same<One, Other>): void;
interface Db {
  find(id: string): string;
}
declare const connected: Db;

const declared = definePlugin({
  name: 'declared',
  encapsulate: false,
  decorators: { app: { db: connected, now: { getter: () => 1 } }, context: { user: (c) => c.header('x') ?? '', level: 1 } },
  setup(app) {
    same<typeof app.db, Db>(true);
    same<typeof app.now, number>(true);
    app.get('/', (c) => {
      same<typeof c.user, string>(true);
      same<typeof c.level, number>(true);
    });
  },
});
const returned = definePlugin({
  name: 'returned',
  encapsulate: false,
  setup: async (app, options: { url: string }) => app.decorate('url', options.url).decorateContext('asked', (c) => c.path),
});
const inside = definePlugin({ name: 'inside', setup: (app) => app.decorate('secret', 1) });

const app = createApp().register(declared).register(returned, { url: 'a' }).register(inside).decorate('more', true);
same<typeof app.db, Db>(true);
same<typeof app.now, number>(true);
same<typeof app.url, string>(true);
same<typeof app.more, true | boolean>(true);
// @ts-expect-error: what an encapsulated plugin adds stays within.
app.secret;
// @ts-expect-error: it is not to be replaced.
app.more = false;
// @ts-expect-error: these options are missing.
createApp().register(returned);
// @ts-expect-error: these options are others.
createApp().register(returned, { uri: 'a' });

app.get('/:id', { body: z.object({ n: z.number() }) }, (c) => {
  same<typeof c.user, string>(true);
  same<typeof c.asked, string>(true);
  same<typeof c.params.id, string>(true);
  same<typeof c.body.n, number>(true);
  // @ts-expect-error: nobody has added this.
  c.nothing;
});
app.use((c, next) => {
  same<typeof c.asked, string>(true);
  return next();
});
app.onRequest((c) => void c.user.length).onError((_, c) => c.asked);
app.group('/g', (inner) => {
  same<typeof inner.url, string>(true);
  inner.get('/', (c) => c.asked);
});
app.register((inner) => {
  same<typeof inner.db, Db>(true);
  inner.get('/', (c) => c.user);
});
app.register(async (inner, { n }: { n: number }) => void inner.get('/', () => n), { n: 1 });

createApp().register(returned, { url: 'a', prefix: '/v1' });

/** An app with additions is one without. */
const plain: App = app;
export { plain };
