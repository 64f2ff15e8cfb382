// Lets `node --import ./scripts/ts-register.mjs file.ts` run this repository's own TypeScript on every supported Node.
import { register } from 'node:module';

register('./ts-hooks.mjs', import.meta.url);
