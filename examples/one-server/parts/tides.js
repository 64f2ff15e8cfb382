/** Koa: high water at the station, as JSON or as text. Plain `koa`, mounted as it is. */
import Koa from 'koa';

/** Minutes after midnight, of an ordinary day. */
const HIGH_WATER = new Map([
  ['skomer', [375, 1120]],
  ['bass-rock', [130, 875]],
]);
const HOUR_MINUTES = 60;

export const tides = new Koa();

tides.use(async (ctx, next) => {
  const started = performance.now();
  await next();
  ctx.set('Server-Timing', `koa;dur=${(performance.now() - started).toFixed(1)}`);
});

tides.use((ctx) => {
  const place = ctx.path.slice(1);
  if (place === '') {
    ctx.body = { places: [...HIGH_WATER.keys()] };
    return;
  }
  const minutes = HIGH_WATER.get(place);
  if (minutes === undefined) {
    // Not `ctx.throw()`: Koa removes all fields of a reply to an error, those that the app has set for security among them.
    ctx.status = 404;
    ctx.body = { error: `No tides are known for ${place}.` };
    return;
  }
  const times = minutes.map(clock);
  ctx.body = ctx.accepts('json', 'text') === 'text' ? `High water: ${times.join(', ')}\n` : { place, highWater: times };
});

function clock(minutes) {
  const two = (number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / HOUR_MINUTES))}:${two(minutes % HOUR_MINUTES)}`;
}
