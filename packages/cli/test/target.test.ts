/** What is started where no file is named: by the manifest, else by a usual name, and never in silence. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileOfScript, findUnnamed } from '../src/target.ts';
import { writeProject } from '../../fulmar/test/launch/support.ts';

describe('the file of a start script', () => {
  const cases: [string, string | undefined][] = [
    ['node server.js', 'server.js'],
    ['NODE_ENV=production node --enable-source-maps ./src/server.js --port 80', './src/server.js'],
    ['npm run build && node dist/main.js', 'dist/main.js'],
    ['fulmar run src/app.ts', 'src/app.ts'],
    ['npx tsx src/app.ts', 'src/app.ts'],
    ['cross-env A=1 node app', 'app'],
    ['next start', undefined],
    ['fulmar start', undefined],
    ['fulmar dev --port 80', undefined],
    ['', undefined],
  ];
  for (const [script, expected] of cases) it(`is ${expected} in "${script}"`, () => assert.equal(fileOfScript(script), expected));
});

describe('a folder of routes', () => {
  const projects: [title: string, files: Record<string, string>, source: string | undefined][] = [
    ['with a config, whatever main names', { 'fulmar.config.ts': '', 'package.json': '{"main":"a.js"}', 'a.js': '' }, 'fulmar.config'],
    ['without one, where nothing else is', { 'routes/index.ts': '' }, 'the folder routes'],
    ['that is called pages', { 'pages/index.ts': '' }, 'the folder pages'],
    ['beside a server that uses it', { 'routes/index.ts': '', 'server.ts': '' }, undefined],
    [
      'beside a start script that names a file',
      { 'fulmar.config.ts': '', 'package.json': '{"scripts":{"start":"node a.js"}}', 'a.js': '' },
      undefined,
    ],
    [
      'whose start script runs what was built',
      { 'fulmar.config.ts': '', 'package.json': '{"scripts":{"start":"fulmar start"}}' },
      'fulmar.config',
    ],
  ];
  for (const [title, files, source] of projects) {
    it(`is a project ${title}: ${source ?? 'no'}`, () => {
      const folder = writeProject(files);
      const target = findUnnamed(folder, 'run');
      assert.deepEqual([target.project, target.args], source === undefined ? [undefined, undefined] : [folder, [folder]]);
      if (source !== undefined) assert.equal(target.source, source);
    });
  }
});

describe('without a file', () => {
  const start = (command: string, main?: string): string => JSON.stringify({ scripts: { start: command }, main });
  const found: [title: string, files: Record<string, string>, name: string, source: string][] = [
    [
      'the file of the start script',
      { 'package.json': start('node a.js', 'b.js'), 'a.js': '', 'b.js': '' },
      'a.js',
      'scripts.start of package.json',
    ],
    [
      'its file without extension',
      { 'package.json': start('node bin/www'), 'bin/www': '' },
      join('bin', 'www'),
      'scripts.start of package.json',
    ],
    [
      'main where the start script runs no file',
      { 'package.json': start('next start', './b.js'), 'b.js': '' },
      'b.js',
      'main of package.json',
    ],
    ['main that is a folder', { 'package.json': '{"main":"lib"}', 'lib/index.cjs': '' }, join('lib', 'index.cjs'), 'main of package.json'],
    ['a usual name where main does not exist', { 'package.json': '{"main":"index.js"}', 'app.mjs': '' }, 'app.mjs', 'a usual name'],
    ['a usual name without a manifest', { 'server.ts': '', 'app.js': '' }, 'server.ts', 'a usual name'],
    ['one in src', { 'package.json': '{}', 'src/main.ts': '' }, join('src', 'main.ts'), 'a usual name'],
    ['a usual name beside a manifest that does not parse', { 'package.json': '{', 'index.js': '' }, 'index.js', 'a usual name'],
    [
      'the start script that runs fulmar itself by main',
      { 'package.json': start('fulmar run', 'b.js'), 'b.js': '' },
      'b.js',
      'main of package.json',
    ],
  ];
  for (const [title, files, name, source] of found) {
    it(`takes ${title}`, () => {
      const folder = writeProject(files);
      assert.deepEqual(findUnnamed(folder, 'run'), { file: join(folder, name), name, source });
    });
  }

  it('does not run another file in place of one that the start script names', () => {
    const folder = writeProject({ 'package.json': start('node dist/server.js', 'index.js'), 'index.js': '' });
    assert.throws(() => findUnnamed(folder, 'run'), {
      code: 'FULMAR_CLI_NOT_FOUND',
      message: /^scripts\.start of package\.json names dist\/server\.js: cannot find /,
    });
  });

  const missing: [files: Record<string, string>, message: RegExp][] = [
    [
      {},
      /^no file was named, and none was found: no package\.json, and no server, app, index or main \(\.js, .*\) here or in src, nor a fulmar\.config or a folder routes\. Name the file: fulmar run <file>$/,
    ],
    [
      { 'package.json': start('next start', 'gone.js') },
      /scripts\.start of package\.json runs no file \("next start"\), its main does not exist \(gone\.js\), and no server/,
    ],
    [{ 'package.json': '{}' }, /package\.json has no scripts\.start, it has no main, and no server/],
    [{ 'package.json': 'null', 'index.tsx': '' }, /package\.json has no scripts\.start, it has no main, and no server/],
    [{ 'package.json': '{' }, /package\.json does not parse \(.+\), and no server/],
  ];
  for (const [files, message] of missing) {
    it(`lists what was looked for among ${Object.keys(files).join(', ') || 'nothing'}: ${message.source.slice(0, 60)}`, () => {
      assert.throws(() => findUnnamed(writeProject(files), 'run'), { code: 'FULMAR_CLI_MISSING_FILE', message });
    });
  }
});
