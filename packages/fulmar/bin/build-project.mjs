/**
 * What `fulmar build` starts, by `fulmar run`, for a folder of routes: tells it what the project is, by messages. Its
 * arguments are the folder, and the request as JSON.
 */
import { createRequire } from 'node:module';

const { buildProject } = createRequire(import.meta.url)('../dist/build-project.cjs');
await buildProject(JSON.parse(process.argv[3]));
