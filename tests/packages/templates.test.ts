/**
 * What `fulmar new` makes of each template is tested, linted, checked, built, served and ended by its own
 * scripts, with Fulmar as it is published.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Image } from '../guides/dockerfile.ts';
import { type Application, startApplication } from './support/application.ts';
import { packed, type Packed, root, version } from './support/packed.ts';
import { fulmar, must, newProject, plainEnv, removeProjects, run } from './support/project.ts';
import type { Registry } from './support/registry.ts';
import { installAll, makeProject, manifestOf, runScript, startWholeRegistry } from './support/templates.ts';

let packages: Packed;
let registry: Registry;
let base = '';
before(async () => {
  packages = packed();
  registry = await startWholeRegistry(packages);
  base = await installAll(registry);
});
after(() => {
  registry.close();
  removeProjects();
});

interface Case {
  readonly template: string;
  readonly words: readonly string[];
  readonly healthy: string;
  /** A path, what it takes, and what it refuses with a status. */
  readonly posts: readonly (readonly [path: string, valid: object, invalid: object, status: number])[];
}

const note = ['/notes', { title: 'Fulmars' }, { title: '' }, 422] as const;

const cases: readonly Case[] = [
  { template: 'express', words: ['-t', 'express'], healthy: '/health', posts: [note] },
  { template: 'express-js', words: ['-t', 'express', '--javascript'], healthy: '/health', posts: [note] },
  { template: 'koa', words: ['-t', 'koa'], healthy: '/health', posts: [note] },
  { template: 'koa-js', words: ['-t', 'koa', '--javascript'], healthy: '/health', posts: [note] },
  { template: 'app', words: ['-t', 'app'], healthy: '/ready', posts: [note] },
  {
    template: 'controllers',
    words: ['-t', 'controllers'],
    healthy: '/health',
    posts: [['/notes', { title: 'Fulmars' }, { title: '' }, 400]],
  },
  {
    template: 'rpc',
    words: ['-t', 'rpc'],
    healthy: '/ready',
    posts: [['/api/notes/add', { params: [{ title: 'Fulmars' }] }, { params: [{ title: '' }] }, 422]],
  },
  { template: 'routes', words: ['-t', 'routes'], healthy: '/health', posts: [note] },
  {
    template: 'one-server',
    words: ['-t', 'one-server'],
    healthy: '/ready',
    posts: [note, ['/guestbook', { name: 'Ada', text: 'Hello' }, { name: 'Ada' }, 422]],
  },
];

/** What every application of a template does. */
async function visit(application: Application, one: Case): Promise<void> {
  try {
    await askAll(application, one);
  } catch (error) {
    // Else the tests would wait for it.
    await application.stop();
    throw error;
  }
  const { code, output } = await application.stop();
  assert.equal(code, 0, output);
  assert.match(output, /\nclosed\n$/);
}

async function askAll(application: Application, { healthy, posts }: Case): Promise<void> {
  assert.equal((await application.ask(healthy)).status, 200);
  assert.equal((await application.ask('/nothing/here')).status, 404);
  for (const [path, valid, invalid, status] of posts) {
    const made = await application.ask(path, valid);
    assert.ok([200, 201].includes(made.status), `${made.status} ${made.text}`);
    assert.equal((await application.ask(path, invalid)).status, status);
  }
}

it('there is a case for each template', () => {
  const there = readdirSync(join(base, 'node_modules/fulmar/templates/projects'));
  assert.deepEqual(cases.map(({ template }) => template).sort(), there.sort());
});

for (const one of cases) {
  describe(`a project of the template ${one.template}`, () => {
    let folder = '';
    before(async () => {
      folder = await makeProject(base, `my ${one.template} ü`, ...one.words);
    });

    const { scripts } = manifestOf(one.template);
    for (const script of ['test', 'lint', 'typecheck', 'build'].filter((name) => name in scripts)) {
      it(`passes \`npm run ${script}\``, async () => void (await must(runScript(folder, script))));
    }

    it('answers, refuses and ends as a built file', async () => {
      await visit(await startApplication('node', ['dist/server.mjs'], folder), one);
    });

    it('does the same as it is run while developing', async () => {
      const [command, ...words] = (scripts['dev'] ?? '').split(' ');
      assert.equal(command, 'fulmar');
      await visit(await startApplication('node', ['../node_modules/fulmar/bin/fulmar.cjs', ...words], folder), one);
    });
  });
}

/** Its Dockerfile makes an image of what is installed, which has Node and one file. */
async function servesAsImage(project: string): Promise<void> {
  const node = (await must(run('node', ['-p', 'process.execPath'], project))).trim();
  const words = ['--import', join(root, 'scripts/ts-register.mjs'), join(root, 'tests/packages/support/image.ts'), project, node];
  const image = JSON.parse(await must(run('node', words, project, plainEnv({ npm_config_registry: registry.url })))) as Image;
  assert.deepEqual([image.base, image.user, image.exposed], ['node:26-slim', 'node', [3000]]);
  assert.deepEqual(readdirSync(image.cwd).sort(), ['cache', 'server.mjs']);
  const [command = '', ...args] = image.command;
  const application = await startApplication(command, args, image.cwd, image.env);
  assert.equal((await application.ask('/health')).status, 200);
  assert.equal((await application.stop()).code, 0);
}

describe('npm create fulmar', () => {
  const create = (folder: string, ...words: string[]) =>
    run('npm', ['create', '--yes', '--registry', registry.url, 'fulmar', ...words], folder, plainEnv({ npm_config_cache: newProject({}) }));

  it('makes the project, begins a repository and installs the packages', async () => {
    const folder = newProject({});
    const printed = await must(create(folder, 'birds', '--', '--template', 'express', '--javascript'));
    assert.match(printed, /\nNext:\n {2}cd birds\n {2}npm run dev\n$/);
    const project = join(folder, 'birds');
    assert.ok(existsSync(join(project, '.git')));
    const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    assert.equal(manifest.dependencies['fulmar'], `^${version}`);
    await must(runScript(project, 'test'));
    await servesAsImage(project);
  });

  it('says what is wrong in a line, and asks nobody who is not there', async () => {
    const { code, stderr } = await create(newProject({}), 'birds');
    assert.equal(code, 2);
    assert.match(stderr, /^fulmar: fulmar new needs a template: --template app\|/m);
  });
});

describe('fulmar new', () => {
  it('leaves the project where the packages cannot be installed', async () => {
    const folder = newProject({});
    const env = plainEnv({ npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0', npm_config_cache: newProject({}) });
    const bin = join(base, 'node_modules/fulmar/bin/fulmar.cjs');
    const { code, stderr } = await run('node', [bin, 'new', 'birds', '-t', 'app', '--no-git'], folder, env);
    assert.equal(code, 1);
    assert.match(stderr, /the project is there, without its packages: npm install ended with 1\. Try again in its folder: npm install/);
    assert.ok(existsSync(join(folder, 'birds', 'src', 'main.ts')));
  });

  it('says when the package manager is not there', async () => {
    const env = plainEnv();
    const folder = newProject({});
    const bin = join(base, 'node_modules/fulmar/bin/fulmar.cjs');
    // A path that has Node and nothing else.
    const nodeAlone = newProject({});
    await must(run('ln', ['-s', (await must(run('node', ['-p', 'process.execPath'], folder))).trim(), join(nodeAlone, 'node')], folder));
    const words = [bin, 'new', 'birds', '-t', 'koa', '--package-manager', 'pnpm'];
    const { code, stderr } = await run('node', words, folder, { ...env, PATH: nodeAlone });
    assert.equal(code, 1);
    assert.match(stderr, /no repository was begun: .*ENOENT/);
    assert.match(stderr, /without its packages: pnpm does not start: .*ENOENT/);
  });

  it('refuses a folder that has files in it', async () => {
    const { code, stderr } = await fulmar(base, ['new', '.', '--template', 'app']);
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: the folder \. is not empty/);
  });
});
