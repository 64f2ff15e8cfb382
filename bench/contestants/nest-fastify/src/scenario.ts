// Which module belongs to which scenario, and what the application needs beside it. Modules are loaded one at
// a time; nothing here answers a request.
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export interface Scenario {
  module: Type;
  configure?: (app: NestFastifyApplication) => unknown;
}

const scenarios: Record<string, () => Promise<Scenario>> = {
  'hello-text': async () => ({ module: (await import('./hello.js')).TextModule }),
  'hello-json': async () => ({ module: (await import('./hello.js')).JsonModule }),
  'path-query': async () => ({ module: (await import('./users.js')).UsersModule }),
  'post-json': async () => ({ module: (await import('./users.js')).UsersModule }),
  'list-10': async () => ({ module: (await import('./list.js')).ListModule }),
  'chain-3': async () => ({ module: (await import('./chain-3.js')).CountModule }),
  'chain-5': () => import('./chain-5.js'),
  routes: async () => ({ module: (await import('./routes.js')).RoutesModule }),
  urlencoded: async () => ({ module: (await import('./form.js')).FormModule }),
  'static-10k': async () => ({ module: (await import('./files.js')).FilesModule }),
  'static-1m': async () => ({ module: (await import('./files.js')).FilesModule }),
  'compressed-58k': () => import('./data.js'),
  'update-user-light': () => import('./update-user-light.js'),
  'update-user-heavy': () => import('./update-user-heavy.js'),
  guarded: () => import('./guarded.js'),
  'db-read': async () => ({ module: (await import('./items.js')).ItemsModule }),
  'db-insert': async () => ({ module: (await import('./items.js')).ItemsModule }),
};

export function loadScenario(name: string): Promise<Scenario> {
  return scenarios[name]!();
}
