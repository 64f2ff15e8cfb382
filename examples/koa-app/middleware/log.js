/** One line for each request, when its reply is decided. */
export async function log(ctx, next) {
  const start = performance.now();
  try {
    await next();
  } finally {
    console.log(`${ctx.method} ${ctx.url} ${ctx.status} ${(performance.now() - start).toFixed(1)} ms`);
  }
}
