// Who is compared: how each is started, and what it serves. Everything is resolved from the lockfiles of this folder.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const program = (name) => join(here, 'contestants', name);

/** What is asked of a server: wrk and the check before the load send exactly this. */
export const scenarios = {
  hello: { method: 'GET', path: '/', status: 200 },
  text: { method: 'GET', path: '/', status: 200 },
  middleware: { method: 'GET', path: '/', status: 200 },
  routes: { method: 'GET', path: '/route999/world', status: 200 },
  post: { method: 'POST', path: '/users', status: 201, content: '{"name":"Ada Lovelace","email":"ada@example.com","age":36}' },
  static: { method: 'GET', path: '/10k.txt', status: 200 },
};

/**
 * The contestants of the loaded rows. `equalTo` names the one whose reply must be equal before anything is measured: with all header
 * fields (`headers: true`) where the interface is the same, else status and body.
 */
export function contestants({ node, bun, floor, staticDir }) {
  const script = (name, scenario, env = {}) => ({
    scenario,
    command: node,
    args: [program(name)],
    env: { SCENARIO: scenario, STATIC_DIR: staticDir, ...env },
  });
  const stock = (scenario) => script('express.cjs', scenario, { FRAMEWORK: 'express' });
  const ours = (scenario, equalTo) => ({ ...script('express.cjs', scenario, { FRAMEWORK: 'fulmar/express' }), equalTo, headers: true });
  return {
    floor: {
      scenario: 'hello',
      command: floor ?? 'floor',
      args: [],
      env: {},
      missing: floor === undefined ? 'the floor example is not built' : undefined,
    },
    'node:http': script('http.cjs', 'text', { FRAMEWORK: 'node:http' }),
    'fulmar/http': { ...script('http.cjs', 'text', { FRAMEWORK: 'fulmar/http' }), equalTo: 'node:http', headers: true },
    'express@5': stock('hello'),
    'fulmar/express': ours('hello', 'express@5'),
    'fulmar/express again': ours('hello', 'express@5'),
    'fulmar/express, 5 middleware': ours('middleware', 'express@5'),
    'fulmar/express, 1,000 routes': ours('routes', 'express@5'),
    'express@5 on fulmar/http': {
      ...script('express-on-fulmar-http.cjs', 'hello', { FRAMEWORK: 'express' }),
      equalTo: 'express@5',
      headers: true,
    },
    'elysia on bun': {
      scenario: 'hello',
      command: bun ?? 'bun',
      args: [program('elysia.ts')],
      env: {},
      equalTo: 'express@5',
      headers: false,
      missing: bun === undefined ? 'no Bun for this platform' : undefined,
    },
    'express@5, POST': stock('post'),
    'fulmar/express, POST': ours('post', 'express@5, POST'),
    'express@5, static': stock('static'),
    'fulmar/express, static': ours('static', 'express@5, static'),
  };
}

/** The binaries that `npm ci` put into this folder. */
export function installedRuntimes() {
  const cpu = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const find = (path) => (existsSync(path) ? path : undefined);
  return {
    node: find(join(here, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')),
    bun: find(join(here, 'node_modules', '@oven', `bun-${process.platform}-${cpu}`, 'bin', 'bun')),
  };
}

export { here, program };
