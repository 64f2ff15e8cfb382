// Deepkit in the style of docs.deepkit.io: an `App` with the `FrameworkModule` and the functional router, set
// up for the scenario that the harness names in `SCENARIO`. It never logs and never loads what its scenario
// does not use.
import { App } from '@deepkit/app';
import { ApplicationServer, FrameworkModule } from '@deepkit/framework';
import { HttpRouterRegistry } from '@deepkit/http';
import { Logger } from '@deepkit/logger';
import { loadScenario } from './scenario.js';

async function main() {
  const { define, middlewares = [], framework = {}, listen } = await loadScenario(process.env.SCENARIO ?? 'hello-text');
  const app = new App({
    middlewares,
    imports: [
      new FrameworkModule({
        host: '127.0.0.1',
        port: Number(process.env.PORT),
        httpLog: false,
        logStartup: false,
        broker: { startOnBootstrap: false },
        ...framework,
      }),
    ],
  });
  app.get(Logger).setTransport([]);
  listen?.(app);
  define?.(app.get(HttpRouterRegistry));
  await app.get(ApplicationServer).start();
}

void main();
