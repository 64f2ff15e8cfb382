/**
 * What `fulmar run` starts for a folder of routes: opens the project that is its first argument, and listens.
 */
import { createRequire } from 'node:module';

const { partsOf, serveProject } = createRequire(import.meta.url)('../dist/lib-project.cjs');
const environment = { root: process.argv[2], command: 'run' };
await serveProject(environment, partsOf(environment));
