/**
 * `app.listen(…)` where there is no port (`workerd`, Vercel's edge runtime): registers the app with what
 * `fulmar build --target` has put around it. Stands in the place of `serve.ts` there.
 */
import { readGlobal } from '../host/globals.ts';
import type { App } from './app.ts';
import type { RunningServer } from './serve.ts';

/** @throws Error where nobody waits for it */
export default async function serve(app: App): Promise<RunningServer> {
  const register = readGlobal('fulmar.serverless');
  if (register === undefined)
    throw new Error('An app cannot listen on a port here: export what an adapter makes of it, as `export default cloudflare(app)`.');
  await app.start();
  register((exchange) => app.handle(exchange));
  return { url: '', close: (done?: () => void) => done?.() } as unknown as RunningServer;
}
