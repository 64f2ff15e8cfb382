/** What the type checker knows of adapters: never run, checked with the sources. */
import type { ServerResponse } from 'node:http';
import type { App } from '../../src/app/index.ts';
import { bun } from '../../src/adapters/bun/index.ts';
import { cloudflare, type CloudflarePlatform, platform } from '../../src/adapters/cloudflare/index.ts';
import { deno } from '../../src/adapters/deno/index.ts';
import { gcf, type GcfRequest } from '../../src/adapters/gcf/index.ts';
import { batch, lambda, type LambdaHandler, type LambdaPlatform, platform as lambdaPlatform } from '../../src/adapters/lambda/index.ts';
import { netlify } from '../../src/adapters/netlify/index.ts';
import { vercel } from '../../src/adapters/vercel/index.ts';

/** `true` only for types that are the same, optional and readonly members as well. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Does not compile unless the two are the same. */
declare function same<One, Other>(is: Same<One, Other>): void;
declare const app: App;
declare const listener: (req: GcfRequest, res: ServerResponse) => void;

interface Env {
  readonly NAME: string;
}

app.get('/', (c) => {
  const given = platform<Env>(c);
  same<typeof given, CloudflarePlatform<Env>>(true);
  same<typeof given.env.NAME, string>(true);
  same<ReturnType<typeof lambdaPlatform>, LambdaPlatform>(true);
  given.waitUntil(Promise.resolve());
  // @ts-expect-error -- only what is a promise can be waited for
  given.waitUntil(5);
  return given.env.NAME;
});

same<ReturnType<typeof lambda>, LambdaHandler>(true);
lambda(app, { basePath: '/v1', binary: (type) => type.startsWith('image/'), deadlineMs: 100, style: 'messages' });
// @ts-expect-error -- there is no such option
lambda(app, { base: '/v1' });
// @ts-expect-error -- a number is no application
lambda(5);
lambda({ fetch: (request) => new Response(request.url) });
lambda(listener);
cloudflare((request: Request) => new Response(request.url));
batch((record) => {
  same<typeof record.body, string | undefined>(true);
});

void Promise.all([
  deno(app)(new Request('http://x/'), { remoteAddr: { hostname: '::1' } }).then((reply) => reply.status),
  bun(app)
    .fetch(new Request('http://x/'))
    .then((reply) => reply.status),
  netlify(app)(new Request('http://x/')).then((reply) => reply.status),
  netlify(app)({ httpMethod: 'GET', path: '/' }).then((result) => result.statusCode),
  vercel(app)(new Request('http://x/')).then((reply) => reply.status),
  vercel(app)
    .fetch(new Request('http://x/'))
    .then((reply) => reply.status),
]);
gcf(app) satisfies (req: GcfRequest, res: ServerResponse) => Promise<void>;
