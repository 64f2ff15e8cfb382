/** A Koa application: the hours to the next high water, more or less. */
import Koa from 'koa';

const MS_PER_HOUR = 3_600_000;
/** Half a lunar day. */
const HOURS_BETWEEN = 12.42;

export function createTides(): Koa {
  const app = new Koa();
  app.use(async (ctx, next) => {
    await next();
    ctx.set('Cache-Control', 'public, max-age=60');
  });
  app.use((ctx) => {
    if (ctx.path !== '/') ctx.throw(404, `No tides are at ${ctx.path}.`);
    const hours = HOURS_BETWEEN - ((Date.now() / MS_PER_HOUR) % HOURS_BETWEEN);
    ctx.body = { highWaterInHours: Math.round(hours * 10) / 10 };
  });
  return app;
}
