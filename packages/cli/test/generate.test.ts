/** `fulmar generate` without its process: its words, the names that it makes, what it finds and what it says. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseGenerateArguments } from '../src/generate/arguments.ts';
import { folderFor, makeFiles } from '../src/generate/files.ts';
import { fill, toNames, toPascal } from '../src/generate/names.ts';
import { findModule, findProject, type Project } from '../src/generate/project.ts';
import { findSchematic, schematics } from '../src/generate/schematics.ts';

const templates = fileURLToPath(new URL('../../fulmar/templates', import.meta.url));
const place = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-generate-')));
after(() => rmSync(place, { recursive: true, force: true }));

function put(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(place, 'project-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the words of fulmar generate', () => {
  it('may come in any order, with short names as in Nest', () => {
    for (const words of ['controller users/profiles --flat -d', '--dry-run co --flat users/profiles']) {
      const options = parseGenerateArguments(words.split(' '));
      assert.ok(options !== 'help');
      assert.equal(options.schematic.name, 'controller');
      assert.deepEqual(options.names, { folders: ['users'], kebab: 'profiles', singular: 'profile' });
      const { flat, dryRun, spec, force, skipImport } = options;
      assert.deepEqual(
        { flat, dryRun, spec, force, skipImport },
        { flat: true, dryRun: true, spec: true, force: false, skipImport: false },
      );
    }
    const aliases = {
      mo: 'module',
      co: 'controller',
      s: 'service',
      gu: 'guard',
      itc: 'interceptor',
      pi: 'pipe',
      f: 'filter',
      mi: 'middleware',
      d: 'decorator',
      res: 'resource',
    };
    for (const [alias, name] of Object.entries(aliases)) assert.equal(findSchematic(alias).name, name);
    assert.equal(parseGenerateArguments(['--help']), 'help');
  });

  const refused: [words: string[], code: string, message: RegExp][] = [
    [[], 'FULMAR_CLI_MISSING_VALUE', /needs/],
    [['guard'], 'FULMAR_CLI_MISSING_VALUE', /guard needs a name/],
    [['controler', 'x'], 'FULMAR_CLI_INVALID_VALUE', /Did you mean "controller"\? It makes: module, /],
    [['gateway', 'x'], 'FULMAR_CLI_INVALID_VALUE', /makes no "gateway"\. It makes/],
    [['guard', 'a', 'b'], 'FULMAR_CLI_INVALID_VALUE', /one name at a time; got "b"/],
    [['guard', 'a', '--flatt'], 'FULMAR_CLI_UNKNOWN_OPTION', /Did you mean --flat\?/],
    [['guard', 'a', '--flat=yes'], 'FULMAR_CLI_INVALID_VALUE', /takes no value/],
    [['guard', '../a'], 'FULMAR_CLI_INVALID_VALUE', /leads out of the sources/],
    [['guard', 'a/../../b'], 'FULMAR_CLI_INVALID_VALUE', /leads out of the sources/],
    [['guard', '/a'], 'FULMAR_CLI_INVALID_VALUE', /path from the root/],
    [['guard', 'C:\\a'], 'FULMAR_CLI_INVALID_VALUE', /path from the root/],
    [['guard', '7up'], 'FULMAR_CLI_INVALID_VALUE', /begin with a letter/],
    [['guard', "a'b"], 'FULMAR_CLI_INVALID_VALUE', /begin with a letter/],
    [['guard', './'], 'FULMAR_CLI_INVALID_VALUE', /empty/],
    [['guard', 'a'.repeat(201)], 'FULMAR_CLI_INVALID_VALUE', /200 characters/],
  ];
  for (const [words, code, message] of refused) {
    it(`are refused: ${words.join(' ').slice(0, 40) || 'none'}`, () =>
      assert.throws(() => parseGenerateArguments(words), { code, message }));
  }
});

describe('names of what is generated', () => {
  it('are kebab case in files and Pascal case in classes', () => {
    const written = {
      userProfile: 'user-profile',
      UserProfile: 'user-profile',
      user_profile: 'user-profile',
      'user profile': 'user-profile',
      HTTPClient: 'http-client',
      oauth2Token: 'oauth2-token',
      Größe: 'größe',
      'a.b': 'a-b',
    };
    for (const [name, kebab] of Object.entries(written)) assert.equal(toNames(name).kebab, kebab);
    assert.equal(toPascal('http-client-2'), 'HttpClient2');
    assert.deepEqual(toNames('./api\\V1//seaBirds').folders, ['api', 'v1']);
  });

  it('have one of many', () => {
    const many = {
      users: 'user',
      categories: 'category',
      people: 'person',
      'user-addresses': 'user-address',
      sheep: 'sheep',
      bird: 'bird',
    };
    for (const [name, one] of Object.entries(many)) assert.equal(toNames(name).singular, one);
  });

  it('stand for the words of templates', () => {
    const text = "class SampleThings { sampleThings: SampleThing; at = 'sample-things/sample-thing'; } // no sample thing, no sampleThing";
    assert.equal(
      fill(text, toNames('seaBirds')),
      "class SeaBirds { seaBirds: SeaBird; at = 'sea-birds/sea-bird'; } // no sea bird, no seaBird",
    );
  });
});

describe('the files of what is generated', () => {
  for (const schematic of schematics) {
    it(`of ${schematic.name} are named as in Nest, and have nothing of the template's words`, () => {
      const names = toNames('users/profileTags');
      const folder = folderFor({ schematic, names, flat: false }, '/src');
      assert.equal(folder, schematic.name === 'dto' ? join('/src', 'users', 'dto') : join('/src', 'users', 'profile-tags'));
      assert.equal(folderFor({ schematic, names, flat: true }, '/src'), join('/src', 'users'));
      const made = makeFiles({ schematic, names, spec: true, folder, templates, suffix: '' });
      for (const { file, text, exists } of made) {
        assert.match(file, /[\\/](?:create-|update-)?profile-tags?\.(?:\w+\.)+ts$/);
        assert.doesNotMatch(text + file, /sample[ -]?thing/i);
        assert.equal(exists, false);
      }
      const bare = makeFiles({ schematic, names, spec: false, folder, templates, suffix: '.js' });
      assert.deepEqual(
        bare.map(({ file }) => file),
        made.map(({ file }) => file).filter((file) => !file.endsWith('.spec.ts')),
      );
      const local = bare.flatMap(({ text }) => [...text.matchAll(/ from '(\.[^']*)'/g)].map(([, from = '']) => from));
      assert.deepEqual(
        local.filter((from) => !from.endsWith('.js')),
        [],
      );
    });
  }

  it('are made of all templates that there are', () => {
    const used = schematics.flatMap((one) => one.files.map(({ source }) => source));
    const there = readdirSync(join(templates, 'generate'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    assert.deepEqual(there.sort(), used.sort());
  });
});

describe('the project', () => {
  const manifest = '{ "dependencies": { "fulmar": "^0.1.0" } }';

  it('is the nearest folder with a package.json, and its sources are in src', () => {
    const folder = put({ 'package.json': manifest, 'src/users/a.ts': '', 'src/b.ts': '' });
    assert.deepEqual(findProject(join(folder, 'src', 'users')), { root: folder, sources: join(folder, 'src'), isModule: false });
    const other = put({ 'package.json': '{ "type": "module", "devDependencies": { "fulmar": "*" } }' });
    assert.deepEqual(findProject(other), { root: other, sources: other, isModule: true });
  });

  it('is told to be missing', () => {
    assert.throws(() => findProject(place), { code: 'FULMAR_CLI_GENERATE_PROJECT', message: /no package\.json .* fulmar new/ });
    assert.throws(() => findProject(put({ 'package.json': '{}' })), {
      code: 'FULMAR_CLI_GENERATE_PROJECT',
      message: /does not use Fulmar.* npm install fulmar/,
    });
    assert.throws(() => findProject(put({ 'package.json': '{' })), { code: 'FULMAR_CLI_GENERATE_PROJECT', message: /cannot be read/ });
  });

  const projectOf = (root: string): Project => ({ root, sources: join(root, 'src'), isModule: false });

  it('has its nearest module in the folder or above it, also where the folder is not there yet', () => {
    const root = put({ 'src/app.module.ts': '', 'src/users/users.module.ts': '', 'src/users/other/x.ts': '' });
    const project = projectOf(root);
    const users = { file: join(root, 'src/users/users.module.ts') };
    assert.deepEqual(findModule(join(root, 'src/users/other/none/yet'), project), users);
    assert.deepEqual(findModule(join(root, 'src/users'), project), users);
    assert.deepEqual(findModule(join(root, 'src/birds'), project), { file: join(root, 'src/app.module.ts') });
  });

  it('has of several modules in a folder the one that is named as it, else that of the application', () => {
    const root = put({
      'src/a.module.ts': '',
      'src/app.module.ts': '',
      'src/b/b.module.ts': '',
      'src/b/a.module.ts': '',
      'src/c/x.module.ts': '',
      'src/c/y.module.ts': '',
    });
    const project = projectOf(root);
    assert.deepEqual(findModule(join(root, 'src'), project), { file: join(root, 'src/app.module.ts') });
    assert.deepEqual(findModule(join(root, 'src/b'), project), { file: join(root, 'src/b/b.module.ts') });
    assert.deepEqual(findModule(join(root, 'src/c'), project), { several: ['x.module.ts', 'y.module.ts'] });
  });

  it('has for a module that is made again the one above it', () => {
    const root = put({ 'src/app.module.ts': '', 'src/users/users.module.ts': '' });
    const own = join(root, 'src/users/users.module.ts');
    assert.deepEqual(findModule(join(root, 'src/users'), projectOf(root), own), { file: join(root, 'src/app.module.ts') });
  });

  it('has no module above its sources', () => {
    const root = put({ 'app.module.ts': '', 'src/a.ts': '' });
    assert.equal(findModule(join(root, 'src'), projectOf(root)), undefined);
  });
});
