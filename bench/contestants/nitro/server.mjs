// The server that `nitro build` made for the scenario that the harness names in `SCENARIO`, or with as many files as
// `ROUTES` says (`build.mjs`); it reads `PORT` and `HOST` itself.
const { SCENARIO = 'hello-text', ROUTES } = process.env;
const project = ROUTES === undefined ? SCENARIO : `file-routes-${ROUTES}`;

await import(`./dist/${project}/.output/server/index.mjs`);
