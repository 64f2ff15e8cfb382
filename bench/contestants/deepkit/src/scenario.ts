// Which routes, middleware and options belong to which scenario. Modules are loaded one at a time; nothing
// here answers a request.
import type { App } from '@deepkit/app';
import type { HttpMiddlewareConfig, HttpRouterRegistry } from '@deepkit/http';

/** @reflection never */
export interface Scenario {
  define?: (router: HttpRouterRegistry) => void;
  middlewares?: (() => HttpMiddlewareConfig)[];
  framework?: { publicDir?: string; compression?: number };
  listen?: (app: App<any>) => void;
}

const files = { framework: { publicDir: process.env.STATIC_DIR } };

/** @reflection never */
const scenarios: Record<string, () => Promise<Scenario>> = {
  'hello-text': async () => ({ define: (await import('./hello.js')).text }),
  'hello-json': async () => ({ define: (await import('./hello.js')).json }),
  'path-query': async () => ({ define: (await import('./users.js')).findOne }),
  'post-json': async () => ({ define: (await import('./users.js')).create }),
  'list-10': async () => ({ define: (await import('./users.js')).findAll }),
  'chain-3': () => import('./chain-3.js'),
  'chain-5': () => import('./chain-5.js'),
  routes: async () => ({ define: (await import('./routes.js')).define }),
  urlencoded: async () => ({ define: (await import('./users.js')).submit }),
  'static-10k': async () => files,
  'static-1m': async () => files,
  'compressed-58k': () => import('./data.js'),
  'update-user-light': async () => ({ define: (await import('./update-user.js')).light }),
  'update-user-heavy': async () => ({ define: (await import('./update-user.js')).heavy }),
  'update-user-month': async () => ({ define: (await import('./update-user-month.js')).month }),
  'update-user-union': async () => ({ define: (await import('./update-user-month.js')).union }),
  'db-read': async () => ({ define: (await import('./items.js')).define }),
  'db-insert': async () => ({ define: (await import('./items.js')).define }),
};

export function loadScenario(name: string): Promise<Scenario> {
  return scenarios[name]!();
}
