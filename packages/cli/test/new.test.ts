/** `fulmar new` without its process: its words, its questions, the files that it writes. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseNewArguments } from '../src/new/arguments.ts';
import { detectManager, managers, toDockerfile, toReadme } from '../src/new/managers.ts';
import { nameFromFolder, problemOfName } from '../src/new/names.ts';
import { checkFolder, writeProject } from '../src/new/project.ts';
import { askFor } from '../src/new/questions.ts';
import { findTemplate, folderOf, templates } from '../src/new/templates.ts';

const files = fileURLToPath(new URL('../../fulmar/templates', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'fulmar-new-'));
after(() => rmSync(place, { recursive: true, force: true }));

describe('the words of fulmar new', () => {
  it('may come in any order', () => {
    for (const words of [
      'birds --template koa --javascript --no-git',
      '--no-git -t koa --javascript birds',
      '--template=koa birds --no-git --javascript',
    ]) {
      const options = parseNewArguments(words.split(' '));
      assert.ok(options !== 'help');
      const { template, ...others } = options;
      assert.equal(template?.name, 'koa');
      assert.deepEqual(others, { folder: 'birds', name: undefined, manager: undefined, language: 'javascript', install: true, git: false });
    }
    assert.equal(parseNewArguments(['birds', '-h']), 'help');
  });

  const refused: [words: string[], code: string, message: RegExp][] = [
    [['birds', '--template', 'expres'], 'FULMAR_CLI_INVALID_VALUE', /no template "expres"\. Did you mean "express"\? There are: app, /],
    [['birds', '--template', 'folders'], 'FULMAR_CLI_INVALID_VALUE', /no template "folders"/],
    [['birds', '--template'], 'FULMAR_CLI_MISSING_VALUE', /--template needs/],
    [['birds', '--tempalte', 'app'], 'FULMAR_CLI_UNKNOWN_OPTION', /Did you mean --template\?/],
    [['birds', 'and', '-t', 'app'], 'FULMAR_CLI_INVALID_VALUE', /one folder at a time; got "and"/],
    [[''], 'FULMAR_CLI_INVALID_VALUE', /folder is empty/],
    [['--package-manager', 'pnmp'], 'FULMAR_CLI_INVALID_VALUE', /Did you mean "pnpm"\?/],
    [['--typescript', '--javascript'], 'FULMAR_CLI_INVALID_VALUE', /not both/],
    [['--name', ''], 'FULMAR_CLI_INVALID_VALUE', /it is empty/],
    [['--name', 'Birds'], 'FULMAR_CLI_INVALID_VALUE', /it has capital letters\. One that is: birds/],
    [['--no-install=yes'], 'FULMAR_CLI_INVALID_VALUE', /takes no value/],
  ];
  for (const [words, code, message] of refused) {
    it(`are refused: ${words.join(' ')}`, () => {
      assert.throws(() => parseNewArguments(words), { code, message });
    });
  }

  it('in JavaScript are for templates that are there in it', () => {
    assert.equal(folderOf(findTemplate('koa'), 'javascript'), 'koa-js');
    assert.throws(() => folderOf(findTemplate('rpc'), 'javascript'), { code: 'FULMAR_CLI_INVALID_VALUE', message: /express, koa$/ });
  });
});

describe('names of packages', () => {
  it('are those that npm takes', () => {
    for (const name of ['birds', '@north/birds', 'a', 'b-2', '2b', 'a.b', '~x', 'x'.repeat(214)])
      assert.equal(problemOfName(name), undefined, name);
    for (const name of [
      '',
      'Birds',
      '.a',
      '_a',
      'a b',
      'a/b',
      '@a',
      '@a/',
      '@/a',
      '../a',
      'node_modules',
      'http',
      'ü',
      "a'",
      'x'.repeat(215),
    ])
      assert.notEqual(problemOfName(name), undefined, name);
  });

  it('are made of those of folders', () => {
    const made = {
      birds: 'birds',
      'My Birds': 'my-birds',
      'Vögel & Co.': 'vogel-co',
      海鳥: 'fulmar-app',
      '.birds': 'birds',
      __x: 'x',
      http: 'http-app',
      'a..b': 'a..b',
    };
    for (const [folder, name] of Object.entries(made)) assert.equal(nameFromFolder(folder), name);
    for (const folder of ['x'.repeat(300), '', '---', 'node_modules'])
      assert.equal(problemOfName(nameFromFolder(folder)), undefined, folder);
  });
});

describe('package managers', () => {
  it('are told by what they say of themselves', () => {
    assert.equal(detectManager('pnpm/10.26.0 npm/? node/v26.0.0 linux x64'), 'pnpm');
    assert.equal(detectManager('yarn/4.12.0 npm/? node/v26.0.0'), 'yarn');
    assert.equal(detectManager('bun/1.3.0 npm/?'), 'bun');
    for (const other of ['npm/11.0.0 node/v26.0.0', 'deno/2.0', '', undefined]) assert.equal(detectManager(other), 'npm');
  });

  it('have their own words in READMEs and Dockerfiles', () => {
    assert.equal(
      toReadme('`npm test`, `npm run dev`, `npx fulmar help`', 'pnpm'),
      '`pnpm run test`, `pnpm run dev`, `pnpm exec fulmar help`',
    );
    const dockerfile = readFileSync(join(files, 'shared/Dockerfile'), 'utf8');
    for (const manager of managers)
      assert.match(toDockerfile(dockerfile, manager), new RegExp(`^RUN .*${manager} .*${manager} run build$`, 'm'));
  });
});

describe('the folder of a project', () => {
  it('is empty, or not there', () => {
    const empty = join(place, 'empty');
    mkdirSync(join(empty, '.git'), { recursive: true });
    checkFolder(empty, 'empty');
    checkFolder(join(place, 'none'), 'none');
    writeFileSync(join(empty, 'notes.txt'), '');
    assert.throws(() => checkFolder(empty, 'empty'), { code: 'FULMAR_CLI_NEW_FOLDER', message: /not empty \(notes\.txt\)\. Name one/ });
    assert.throws(() => checkFolder(join(empty, 'notes.txt'), 'x'), { code: 'FULMAR_CLI_NEW_FOLDER', message: /x is a file/ });
    assert.throws(() => checkFolder(join(place, 'x'.repeat(300)), 'long'), {
      code: 'FULMAR_CLI_NEW_FOLDER',
      message: /no project can be put at long: ENAMETOOLONG/,
    });
  });
});

describe('the files of a project', () => {
  for (const { name, folders } of templates) {
    for (const template of Object.values(folders)) {
      it(`of ${name} (${template}) have its name and its versions, and are told of in its README`, () => {
        const folder = join(place, `ä ${template}`);
        const written = writeProject({ folder, name: 'my-birds', manager: 'npm', templates: files, template, version: '0.7.1' });
        assert.deepEqual(
          written.filter((file) => /(?:^|\/)_/.test(file)),
          [],
        );
        for (const file of ['.gitignore', '.dockerignore', '.oxlintrc.json', 'Dockerfile', 'package.json'])
          assert.ok(written.includes(file), file);
        const text = readFileSync(join(folder, 'package.json'), 'utf8');
        const manifest = JSON.parse(text) as { name: string; scripts: Record<string, string>; dependencies: Record<string, string> };
        assert.equal(manifest.name, 'my-birds');
        assert.equal(manifest.dependencies['fulmar'], '^0.7.1');
        const readme = readFileSync(join(folder, 'README.md'), 'utf8');
        assert.match(readme, /^# my-birds\n/);
        for (const [, script = ''] of readme.matchAll(/`npm (?:run )?(\w+)`/g)) assert.ok(script in manifest.scripts, script);
        for (const script of Object.keys(manifest.scripts)) assert.match(readme, new RegExp(`\`npm (?:run )?${script}\``), script);
        const named = [...readme.matchAll(/^\| `([^`]+\.\w+|Dockerfile)` \|/gm)].map(([, file = '']) => file);
        assert.ok(named.length > 4);
        assert.deepEqual(
          named.filter((file) => !written.includes(file)),
          [],
        );
      });
    }
  }

  it('replace nothing', () => {
    const folder = join(place, 'race');
    mkdirSync(folder);
    writeFileSync(join(folder, 'Dockerfile'), 'mine');
    const plan = { folder, name: 'race', manager: 'npm', templates: files, template: 'app', version: '0.1.0' } as const;
    assert.throws(() => writeProject(plan), { code: 'FULMAR_CLI_NEW_FOLDER', message: /EEXIST/ });
    assert.equal(readFileSync(join(folder, 'Dockerfile'), 'utf8'), 'mine');
  });

  it('are all of a template that there is', () => {
    const known = templates.flatMap(({ folders }) => Object.values(folders));
    assert.deepEqual(readdirSync(join(files, 'projects')).sort(), known.sort());
  });
});

describe('the questions', () => {
  /** Answers each line of `answers` when asked, or at once. */
  async function play(
    known: Parameters<typeof askFor>[0],
    answers: string,
  ): Promise<{ folder: string; template: string; printed: string }> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let printed = '';
    output.setEncoding('utf8').on('data', (text: string) => void (printed += text));
    input.end(answers);
    const { folder, template } = await askFor(known, input, output);
    return { folder, template: template.name, printed };
  }
  const nothing = { folder: undefined, template: undefined };

  it('ask for what is not known, and take a number, a name or nothing', async () => {
    const first = await play(nothing, 'birds\n3\n');
    assert.deepEqual([first.folder, first.template], ['birds', 'express']);
    assert.match(first.printed, /^Folder \[my-app\]: Templates:\n {2}1 {2}app .*Template \[app\]: $/s);
    const second = await play(nothing, '\n\n');
    assert.deepEqual([second.folder, second.template], ['my-app', 'app']);
    const third = await play({ ...nothing, folder: 'here' }, 'koa\n');
    assert.deepEqual([third.folder, third.template], ['here', 'koa']);
    assert.doesNotMatch(third.printed, /Folder/);
  });

  it('are asked again after a wrong answer, but not for ever', async () => {
    const { template, printed } = await play({ ...nothing, folder: 'here' }, 'koaa\n9\nkoa\n');
    assert.equal(template, 'koa');
    assert.match(printed, /Did you mean "koa"\?/);
    await assert.rejects(play({ ...nothing, folder: 'here' }, 'x\n'.repeat(9)), { code: 'FULMAR_CLI_NEW_CANCELLED' });
  });

  it('ask again for a folder that has files in it', async () => {
    const { folder, printed } = await play(nothing, `${files}\n${join(place, 'fresh')}\n\n`);
    assert.equal(folder, join(place, 'fresh'));
    assert.match(printed, /is not empty \(.*\nFolder \[my-app\]: /s);
  });

  it('end with their input', async () => {
    await assert.rejects(play(nothing, 'birds\n'), { code: 'FULMAR_CLI_NEW_CANCELLED', message: /nothing was made/ });
  });
});
