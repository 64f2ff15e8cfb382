// WynkJS on Bun in the style of its README: one application, made of the controllers of the scenario that the
// harness names in `SCENARIO`. `app.listen` takes no address, so the built Elysia server listens, as the
// README does for plugins. It never logs and never loads what its scenario does not use.
import { WynkFactory } from 'wynkjs';

interface Scenario {
  controllers?: Function[];
  providers?: Function[];
  plugins?: unknown[];
  filters?: unknown[];
}

const scenarios: Record<string, () => Promise<Scenario>> = {
  'hello-text': async () => ({ controllers: [(await import('./hello.ts')).TextController] }),
  'hello-json': async () => ({ controllers: [(await import('./hello.ts')).JsonController] }),
  'path-query': async () => ({ controllers: [(await import('./users.ts')).UsersController] }),
  'post-json': async () => ({ controllers: [(await import('./users.ts')).UsersController] }),
  'list-10': async () => ({ controllers: [(await import('./list.ts')).ListController] }),
  'chain-3': async () => ({ controllers: [(await import('./chain.ts')).CountController] }),
  'chain-5': () => import('./chain.ts').then(({ five }) => five),
  routes: async () => ({ controllers: [(await import('./routes.ts')).RoutesController] }),
  urlencoded: async () => ({ controllers: [(await import('./form.ts')).FormController] }),
  'static-10k': serveFiles,
  'static-1m': serveFiles,
  'compressed-58k': async () => (await import('./data.ts')).data,
  'update-user-light': async () => ({ controllers: [(await import('./update-user.ts')).LightController] }),
  'update-user-heavy': async () => ({ controllers: [(await import('./update-user.ts')).HeavyController] }),
  guarded: async () => ({ controllers: [(await import('./guarded.ts')).CatsController] }),
  'db-read': async () => ({ controllers: [(await import('./items.ts')).ItemsController] }),
  'db-insert': async () => ({ controllers: [(await import('./items.ts')).ItemsController] }),
};

/** WynkJS serves no files itself; its README takes plugins of Elysia for what it does not bring. */
async function serveFiles(): Promise<Scenario> {
  const { staticPlugin } = await import('@elysiajs/static');
  return { plugins: [await staticPlugin({ assets: process.env.STATIC_DIR, prefix: '/' })] };
}

const { controllers = [], plugins = [], filters = [] } = await scenarios[process.env.SCENARIO ?? 'hello-text']!();
const app = WynkFactory.create({ controllers: controllers as any[] });
for (const plugin of plugins) app.use(plugin as any);
app.useGlobalFilters(...(filters as any[]));
const server = await app.build();
server.listen({ port: Number(process.env.PORT), hostname: '127.0.0.1' });
