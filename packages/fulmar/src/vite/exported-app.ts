/** The app that a module exports: its default export, which is one of `createApp()` or what `rpc()` gives. */
import type { App } from '../app/index.ts';

const METHODS = ['handle', 'start', 'listen', 'use'] as const;

/** Of this copy of the package or of another one. @throws TypeError for anything else */
export function appOf(module: unknown, entry: string): App {
  const app = (module as { default?: unknown }).default;
  if (typeof app === 'object' && app !== null && METHODS.every((name) => typeof (app as Record<string, unknown>)[name] === 'function'))
    return app as App;
  const found = app === undefined ? 'no default export' : `${typeof app === 'function' ? 'a function' : `of type ${typeof app}`}`;
  throw new TypeError(
    `The default export of ${entry} is ${found}; fulmar/vite needs an app: export default createApp() of 'fulmar'. Express, Koa and fetch ` +
      "applications are put into one: createApp().mount('/', application).",
  );
}
