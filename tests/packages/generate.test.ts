/**
 * `fulmar generate` in a project of controllers, with Fulmar as it is published: each part is made, and with
 * all of them the project is tested, linted, checked, built and served.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startApplication } from './support/application.ts';
import { packed } from './support/packed.ts';
import { type Ended, must, newProject, removeProjects, runNode } from './support/project.ts';
import type { Registry } from './support/registry.ts';
import { installAll, makeProject, runScript, startWholeRegistry } from './support/templates.ts';

let registry: Registry;
let base = '';
before(async () => {
  registry = await startWholeRegistry(packed());
  base = await installAll(registry);
});
after(() => {
  registry.close();
  removeProjects();
});

const generate = (folder: string, ...words: string[]): Promise<Ended> =>
  runNode([join(base, 'node_modules/fulmar/bin/fulmar.cjs'), 'g', ...words], folder);
/** What was made and changed, without the sizes. */
const lines = (printed: string): string[] =>
  printed
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ \(\d+ bytes\)$/, ''));

describe('each part of an application of controllers', () => {
  let folder = '';
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  before(async () => {
    folder = await makeProject(base, 'all parts', '-t', 'controllers');
  });

  const single = (type: string): string[] => [
    `CREATE src/users/user-profile/user-profile.${type}.ts`,
    `CREATE src/users/user-profile/user-profile.${type}.spec.ts`,
  ];
  const inModule = 'UPDATE src/users/user-profile/user-profile.module.ts';
  const parts: [what: string, made: string[]][] = [
    ['module', ['CREATE src/users/user-profile/user-profile.module.ts', 'UPDATE src/app.module.ts']],
    ['controller', [...single('controller'), inModule]],
    ['service', [...single('service'), inModule]],
    ['guard', single('guard')],
    ['interceptor', single('interceptor')],
    ['pipe', single('pipe')],
    ['filter', single('filter')],
    ['middleware', single('middleware')],
    ['decorator', ['CREATE src/users/user-profile/user-profile.decorator.ts']],
    ['dto', ['CREATE src/users/dto/user-profile.dto.ts', 'CREATE src/users/dto/user-profile.dto.spec.ts']],
  ];
  for (const [what, made] of parts) {
    it(`is made: ${what}`, async () => {
      assert.deepEqual(lines(await must(generate(folder, what, 'users/userProfile'))), made);
    });
  }

  it('is made: resource, from within the project', async () => {
    const printed = lines(await must(generate(join(folder, 'src', 'users'), 'resource', 'sea-birds')));
    assert.equal(printed.length, 9);
    assert.equal(printed[0], 'CREATE ../sea-birds/sea-birds.module.ts');
    assert.equal(printed.at(-1), 'UPDATE ../app.module.ts');
    const module = read('src/app.module.ts');
    assert.match(module, /imports: \[NotesModule, UserProfileModule, SeaBirdsModule\],/);
    assert.match(module, /^import \{ SeaBirdsModule \} from '\.\/sea-birds\/sea-birds\.module';$/m);
  });

  it('is flat, without a test, not imported, or not made at all, as it is asked for', async () => {
    assert.deepEqual(lines(await must(generate(folder, 'guard', 'auth/roles', '--flat', '--no-spec'))), ['CREATE src/auth/roles.guard.ts']);
    const before = read('src/app.module.ts');
    assert.deepEqual(lines(await must(generate(folder, 's', 'clock', '--skip-import'))).length, 2);
    const dry = lines(await must(generate(folder, 'co', 'clock', '--dry-run')));
    assert.deepEqual(dry.slice(-2), ['UPDATE src/app.module.ts', 'Nothing was written, because of --dry-run.']);
    assert.equal(existsSync(join(folder, 'src/clock/clock.controller.ts')), false);
    assert.equal(read('src/app.module.ts'), before);
  });

  it('replaces nothing unless it is forced to', async () => {
    const file = join(folder, 'src/auth/roles.guard.ts');
    const text = read('src/auth/roles.guard.ts');
    writeFileSync(file, 'mine');
    const refused = await generate(folder, 'guard', 'auth/roles', '--flat');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^fulmar: nothing was made: src\/auth\/roles\.guard\.ts is there already\. /);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    assert.equal(existsSync(join(folder, 'src/auth/roles.guard.spec.ts')), false);
    assert.deepEqual(lines(await must(generate(folder, 'guard', 'auth/roles', '--flat', '--force'))), [
      'REPLACE src/auth/roles.guard.ts',
      'CREATE src/auth/roles.guard.spec.ts',
    ]);
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  for (const script of ['test', 'lint', 'typecheck', 'build']) {
    it(`passes \`npm run ${script}\` with all of them`, async () => {
      const printed = await must(runScript(folder, script));
      if (script === 'test') assert.match(printed, /^(?:#|ℹ) fail 0$/m);
    });
  }

  it('runs with all of them, and the resource does what it is for', async () => {
    const application = await startApplication('node', ['dist/server.mjs'], folder);
    const bird = { id: 1, name: 'Fulmar' };
    assert.deepEqual(await application.ask('/sea-birds', { name: 'Fulmar', isAdmin: true }), { status: 201, text: JSON.stringify(bird) });
    assert.deepEqual(await application.ask('/sea-birds'), { status: 200, text: JSON.stringify([bird]) });
    assert.equal((await application.ask('/sea-birds', { name: 7 })).status, 400);
    const changed = await application.ask('/sea-birds/1', { name: 'Petrel' }, 'PATCH');
    assert.deepEqual(changed, { status: 200, text: JSON.stringify({ ...bird, name: 'Petrel' }) });
    assert.equal((await application.ask('/sea-birds/1', undefined, 'DELETE')).status, 204);
    assert.equal((await application.ask('/sea-birds/1')).status, 404);
    assert.equal((await application.stop()).code, 0);
  });
});

describe('where a module cannot be changed', () => {
  it('the files are made, and what to add is told', async () => {
    const folder = await makeProject(base, 'made-elsewhere', '-t', 'controllers');
    const module = "import { Module } from 'fulmar/controllers';\nconst parts = {};\n@Module({ ...parts })\nexport class AppModule {}\n";
    writeFileSync(join(folder, 'src/app.module.ts'), module);
    const { code, stdout, stderr } = await generate(folder, 'service', 'clock');
    assert.equal(code, 1);
    assert.deepEqual(lines(stdout), ['CREATE src/clock/clock.service.ts', 'CREATE src/clock/clock.service.spec.ts']);
    assert.equal(
      stderr,
      `fulmar: src/app.module.ts was left as it is: its @Module() may have its providers from what is spread into it. Add to it:
  import { ClockService } from './clock/clock.service';
and ClockService to the providers of its @Module({ … })
`,
    );
    assert.equal(readFileSync(join(folder, 'src/app.module.ts'), 'utf8'), module);
  });

  it('because there is none, that is told', async () => {
    const folder = newProject({ 'package.json': { dependencies: { fulmar: '*' } } });
    const { code, stdout, stderr } = await generate(folder, 'module', 'app');
    assert.equal(code, 0);
    assert.deepEqual(lines(stdout), ['CREATE app/app.module.ts']);
    assert.equal(stderr, 'fulmar: no module was found above it: add AppModule to the imports of the one it belongs to\n');
  });

  it('because the parser is not installed, that is told', async () => {
    const folder = newProject({
      'package.json': { type: 'module', dependencies: { fulmar: '*' } },
      'src/app.module.ts': "import { Module } from 'fulmar/controllers';\n@Module({})\nexport class AppModule {}\n",
    });
    // As in a project that has Fulmar and nothing else.
    const alone = newProject({});
    cpSync(join(base, 'node_modules/fulmar'), join(alone, 'node_modules/fulmar'), { recursive: true });
    const { code, stderr } = await runNode([join(alone, 'node_modules/fulmar/bin/fulmar.cjs'), 'g', 'resource', 'birds'], folder);
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: it needs packages that are not installed: npm install class-validator class-transformer\n/);
    assert.match(
      stderr,
      /to change src\/app\.module\.ts, fulmar generate needs rolldown, .* Run: npm install -D "rolldown@.*" Add to it:\n/,
    );
    // Of ES modules Node finds files by their whole names.
    assert.match(stderr, /import \{ BirdsModule \} from '\.\/birds\/birds\.module\.js';/);
    assert.match(readFileSync(join(folder, 'src/birds/birds.module.ts'), 'utf8'), /from '\.\/birds\.service\.js';/);
  });

  it('outside of a project nothing is made', async () => {
    const { code, stderr } = await generate(newProject({}), 'module', 'app');
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: fulmar generate works in a project: there is no package\.json in /);
  });
});
