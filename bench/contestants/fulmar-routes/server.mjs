// `createRoutes` in the style of docs/guide/routes.md, on the folder of the scenario that the harness names in `SCENARIO`,
// or with as many files as `ROUTES` says (`build.mjs` writes them). It never logs.
import { createRoutes } from 'fulmar/routes';

const { SCENARIO = 'hello-text', ROUTES, PORT } = process.env;
const project = ROUTES === undefined ? SCENARIO : `file-routes-${ROUTES}`;

const app = createRoutes({ dir: new URL(`dist/${project}/routes`, import.meta.url) });
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
