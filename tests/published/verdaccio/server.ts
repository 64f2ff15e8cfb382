/** Verdaccio: a registry of npm packages on Express 4; its client is the npm command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Published, Talk } from '../support/server.ts';

const PASSWORD = { name: 'ada', password: 'lighthouse-7' };

/** A package as its author has it, of so many bytes. */
function writePackage(folder: string, { name, version, bytes }: { name: string; version: string; bytes: number }): string {
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version, description: `${name} of the north`, keywords: ['fulmar'], license: 'MIT', main: 'index.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'README.md'), `# ${name} ${version}\n\nGrüße 🌊 <script>alert(1)</script>\n`);
  writeFileSync(join(folder, 'index.js'), `module.exports = '${'0123456789abcdef'.repeat(bytes / 16)}';\n`);
  return folder;
}

async function talk({ url, client, step, note, run, work, isThorough }: Talk): Promise<void> {
  const host = url.replace('http:', '');
  /** What its replies do to the command is seen in what follows, too. */
  const also = async (...args: string[]): Promise<void> => (isThorough ? npm(...args) : undefined);
  const npm = async (...args: string[]): Promise<void> => {
    const rc = join(work, 'npmrc');
    const settings = ['--registry', `${url}/`, '--userconfig', rc, '--cache', join(work, 'cache'), '--no-update-notifier', '--no-audit'];
    const { code, out, err } = await run('npm', [...args, ...settings, '--loglevel', 'error', '--fetch-retries=0', '--no-fund']);
    note({ npm: args, code, out, err: err.split('\n').filter((line) => !/_logs|Unknown user config|user config/.test(line)) });
  };
  await step('who is there');
  await also('ping');
  await also('whoami');
  const login = await client.send({
    method: 'PUT',
    path: '/-/user/org.couchdb.user:ada',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...PASSWORD, _id: 'org.couchdb.user:ada', type: 'user', roles: [], date: '2026-01-01' }),
  });
  const { token } = JSON.parse(login.content.toString()) as { token: string };
  writeFileSync(join(work, 'npmrc'), `${host}/:_authToken=${token}\n`);
  await npm('whoami');
  await step('publishes');
  const gull = writePackage(join(work, 'gull'), { name: 'gull', version: '1.0.0', bytes: 64 });
  await npm('publish', gull);
  await also('publish', gull);
  writePackage(gull, { name: 'gull', version: '1.1.0', bytes: 2_000_000 });
  await npm('publish', gull);
  await npm('publish', writePackage(join(work, 'tern'), { name: '@sea/tern', version: '0.1.0', bytes: 1_024 }));
  await npm('dist-tag', 'add', 'gull@1.0.0', 'old');
  await also('deprecate', 'gull@1.0.0', 'flown');
  await step('reads');
  await npm('view', 'gull', '--json');
  for (const name of ['@sea/tern', 'gull@old', 'nothing']) await also('view', name, '--json');
  await also('search', 'gull', '--json');
  await also('dist-tag', 'ls', 'gull');
  await step('installs');
  const home = join(work, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"name":"home","dependencies":{"gull":"*","@sea/tern":"*"}}');
  await npm('install', '--prefix', home, '--ignore-scripts');
  await also('install', '--prefix', home, 'nothing@1');
  await step('its pages');
  const web = [
    '/',
    '/-/verdaccio/data/packages',
    '/-/verdaccio/data/sidebar/gull',
    '/-/verdaccio/data/package/readme/gull',
    '/-/web/detail/gull',
  ];
  for (const path of [...web, '/-/static/favicon.ico', '/-/static/nothing.js', '/robots.txt', '/-/verdaccio/data/search/gull'])
    await client.get(path);
  await client.json('/-/verdaccio/sec/login', { username: PASSWORD.name, password: PASSWORD.password });
  await client.json('/-/verdaccio/sec/login', { username: 'ada', password: 'wrong' });
  await step('by hand');
  const gull1 = await client.get('/gull', { 'Accept-Encoding': 'gzip' });
  const etag = gull1.fields.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '';
  await client.get('/gull', { 'If-None-Match': etag });
  await client.send({ method: 'HEAD', path: '/gull/-/gull-1.1.0.tgz' });
  await client.get('/gull/-/gull-1.1.0.tgz', { Range: 'bytes=10-19' });
  await client.get('/gull/-/gull-9.9.9.tgz');
  await client.get('/@sea%2ftern');
  await client.get('/%2e%2e%2fconfig.yaml');
  await client.send({ method: 'PUT', path: '/gull', headers: { 'Content-Type': 'application/json' }, body: '{"broken' });
  await client.send({ method: 'PUT', path: '/gull', headers: { 'Content-Type': 'text/plain' }, body: '{}' });
  await step('unpublishes');
  await npm('unpublish', 'gull@1.0.0', '--force');
  await also('unpublish', '@sea/tern', '--force');
  await also('logout');
}

export const server: Published = {
  name: 'verdaccio',
  shown: 'verdaccio',
  entry: 'node_modules/verdaccio/bin/verdaccio',
  args: ({ port }) => ['--config', 'config.yaml', '--listen', `http://127.0.0.1:${port}`],
  env: ({ work }) => ({ HOME: work }),
  ready: '/-/ping',
  masks: [
    { pattern: /"[0-9a-f]{32}"/g, by: '"<hash>"' },
    { pattern: /"(?:token|_rev|rev)": ?"[^"]+"/g, by: '"<secret>"' },
    { pattern: /\d+-[0-9a-f]{16}/g, by: '<revision>' },
    { pattern: /eyJ[\w-]+\.[\w-]+\.[\w-]+/g, by: '<token>' },
    { pattern: /token\/[^ ]+/g, by: 'token/<token>' },
    { pattern: /PONG \d+ms/g, by: 'PONG' },
    { pattern: /in \d+(?:ms|s)/g, by: 'in <time>' },
  ],
  talk,
};
