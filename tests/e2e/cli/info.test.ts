/** `fulmar info` says what a bug report needs, and that is true of this installation and of this folder. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { platformTag } from '../../../packages/fulmar/src/host/engine.ts';
import type { Facts } from '../../../packages/cli/src/info/gather.ts';
import { dist, type Ended, fulmar, fulmarBin, start, writeProject } from './support.ts';

const addonFileName = (): string => `fulmar.${platformTag()}.node`;
const manifest = (name: string, version: string): string => JSON.stringify({ name, version });
const folder = writeProject({
  'package.json': '{"scripts":{"start":"node app.js"}}',
  'app.js': '',
  'node_modules/express/package.json': manifest('express', '4.21.0'),
  'node_modules/koa/package.json': manifest('koa', '1.7.0'),
  'node_modules/compression/package.json': manifest('compression', '1.8.0'),
});

async function factsOf(cwd: string, env: Record<string, string> = {}): Promise<Facts> {
  const { code, stdout, stderr } = await fulmar(cwd, ['info', '--json'], { env });
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Facts;
}

describe('fulmar info', () => {
  it('tells versions, platform and the parts of the installation', async () => {
    const facts = await factsOf(folder);
    assert.equal(facts.schema, 1);
    assert.match(facts.version, /^\d+\.\d+\.\d+/);
    assert.deepEqual([facts.platform.name, facts.platform.arch], [process.platform, process.arch]);
    assert.deepEqual(facts.engine, { file: join(dist, addonFileName()), problem: null });
    assert.equal(facts.native.problem === null, existsSync(facts.native.file));
    assert.equal(facts.load.problem === null, existsSync(facts.load.file));
    if (process.platform === 'linux') assert.match(facts.platform.libc ?? '', /^(?:glibc [\d.]+|musl)$/);
  });

  it('tells of each package what it leads to from this folder, and what would run here', async () => {
    const { packages, application } = await factsOf(folder);
    const at = (name: string): string => join(folder, 'node_modules', name);
    assert.deepEqual(packages, [
      { name: 'express', version: '4.21.0', folder: at('express'), leadsTo: 'fulmar/express4' },
      { name: 'koa', version: '1.7.0', folder: at('koa'), leadsTo: null },
      { name: 'compression', version: '1.8.0', folder: at('compression'), leadsTo: 'fulmar/zlib for zlib' },
    ]);
    assert.deepEqual(application, { name: 'app.js', source: 'scripts.start of package.json' });
    const nothing = await factsOf(writeProject({}));
    assert.deepEqual(nothing.packages, [
      { name: 'express', version: null, folder: null, leadsTo: 'fulmar/express' },
      { name: 'koa', version: null, folder: null, leadsTo: 'fulmar/koa' },
    ]);
    assert.equal(nothing.application, null);
  });

  it('tells which other languages can be used, or what to install', async () => {
    const { guests } = await factsOf(folder, { FULMAR_PYTHON: '/nowhere/python' });
    const python = guests.find(({ language }) => language === 'python');
    assert.match(python?.problem ?? '', /no \/nowhere\/python \(FULMAR_PYTHON\)\. Install Python/);
    const { stdout } = await fulmar(folder, ['info'], { env: { FULMAR_PYTHON: '/nowhere/python' } });
    assert.match(stdout, /^python +not available: there is no \/nowhere\/python/m);
  });

  it('names variables and keeps their values to itself', async () => {
    const env = { NODE_OPTIONS: '--no-deprecation', FULMAR_TRANSPILE_CACHE: '0', SECRET: 'x' };
    const { environment } = await factsOf(folder, env);
    // Those of this test run are there as well.
    const ours = environment.filter((name) => Object.hasOwn(env, name) || !Object.hasOwn(process.env, name));
    assert.deepEqual(ours, ['FULMAR_TRANSPILE_CACHE', 'NODE_OPTIONS']);
    assert.doesNotMatch((await fulmar(folder, ['info'], { env })).stdout, /no-deprecation|SECRET/);
  });

  it('is plain text of one line for each fact', async () => {
    const { code, stdout, stderr } = await fulmar(folder, ['info'], { env: { FORCE_COLOR: '1' } });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^fulmar +\d+\.\d+\.\d+ \(.*\)\nnode +\d+\.\d+\.\d+ \(.*\)\nplatform +.*\nengine +loaded \(.*\)\n/);
    assert.match(stdout, /\nexpress +4\.21\.0 \(.*\) → fulmar\/express4\nkoa +1\.7\.0 \(.*\): nothing stands for it, it runs as it is\n/);
    assert.doesNotMatch(stdout, /\u001B/);
  });

  it('looks for the engine from the file that is run, as that does', async () => {
    const name = addonFileName();
    const place = `service/node_modules/@fulmar/${name.replace(/^fulmar\.|\.node$/g, '')}`;
    const { version } = JSON.parse(readFileSync(resolve(dirname(fulmarBin), '../package.json'), 'utf8')) as { version: string };
    const project = writeProject({
      'package.json': JSON.stringify({ scripts: { start: 'node service/main.cjs' } }),
      'service/main.cjs': `require('http').createServer().listen(0, () => process.exit(0));`,
      [`${place}/package.json`]: JSON.stringify({ version, main: name, fulmar: { bytes: { [name]: statSync(join(dist, name)).size } } }),
    });
    symlinkSync(join(dist, name), join(project, place, name));
    await withCopy(async (command) => {
      const info = await start(project, [command, 'info'], { plain: true }).ended;
      assert.ok(info.stdout.includes(`loaded (${join(project, place, name)})\n`), info.stdout);
      const run = await start(project, [command, 'run', 'service/main.cjs'], { plain: true }).ended;
      assert.deepEqual([run.code, run.stderr], [0, '']);
    });
  });

  it('says why the engine is not loaded', async () => {
    const absent = await infoOfCopy((place) => writeFileSync(join(place, 'fulmar.plan9-x64.node'), ''));
    assert.match(absent.stdout, /\nengine +not loaded: .*: there is no such file, but fulmar\.plan9-x64\.node\n/);
    assert.match(absent.stdout, /\nnative host +not there: .*: there is no such file\n/);
    const broken = await infoOfCopy((place) => writeFileSync(join(place, addonFileName()), 'no library'));
    assert.match(broken.stdout, /\nengine +not loaded: .*: it does not load: .+\n/);
    assert.deepEqual([absent.code, broken.code], [0, 0]);
  });
});

/** An installation without binaries but what `add` puts into its `dist`. */
async function infoOfCopy(add: (dist: string) => void): Promise<Ended> {
  return withCopy((command) => start(folder, [command, 'info'], { plain: true }).ended, add);
}

/**
 * `use` is given the command of an installation with our bundles and no binaries; `add` may put some into its
 * `dist`.
 */
async function withCopy<T>(use: (command: string) => Promise<T>, add: (dist: string) => void = () => undefined): Promise<T> {
  const copy = writeProject({});
  const isBundle = (path: string): boolean => path === dist || /\.[cm]js$/.test(path);
  cpSync(dist, join(copy, 'dist'), { recursive: true, filter: isBundle });
  cpSync(dirname(fulmarBin), join(copy, 'bin'), { recursive: true });
  cpSync(resolve(dirname(fulmarBin), '../package.json'), join(copy, 'package.json'));
  add(join(copy, 'dist'));
  try {
    return await use(join(copy, 'bin/fulmar.cjs'));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
