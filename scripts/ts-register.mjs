/**
 * Lets `node --import ./scripts/ts-register.mjs file.ts` run this repository's own TypeScript on every
 * supported Node. Newer Nodes take the hooks on the main thread; older ones only know a loader thread.
 */
import * as module from 'node:module';
import { loadTypeScript } from './ts-hooks.mjs';

if (module.registerHooks === undefined) module.register('./ts-hooks.mjs', import.meta.url);
else module.registerHooks({ load: loadTypeScript });
