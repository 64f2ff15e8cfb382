/** A folder of routes under `fulmar dev`: what is written, renamed, broken and mended while it runs. */
import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDev } from './support.ts';

const manifest = JSON.stringify({ type: 'module' });
const word = (text: string): string => `export const word: string = '${text}';\n`;

test('a changed module is loaded with all between it and its route, and nothing else', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.ts': `import { phrase } from '../lib/phrase.ts';\nlet asked = 0;\nexport const GET = () => \`\${phrase()} \${++asked}\`;\n`,
    'routes/other.ts': `let asked = 0;\nexport const GET = () => \`other \${++asked}\`;\n`,
    'lib/phrase.ts': `import { word } from './deep/word.ts';\nexport const phrase = (): string => 'phrase ' + word;\n`,
    'lib/deep/word.ts': word('one'),
  });
  assert.equal((await dev.get('/')).text, 'phrase one 1');
  assert.equal((await dev.get('/other')).text, 'other 1');
  const { localPort } = await dev.get('/');
  dev.write('lib/deep/word.ts', word('two'));
  const reply = await dev.until('/', /^phrase two/);
  assert.equal(reply.localPort, localPort, 'the connection has not stayed');
  assert.equal((await dev.get('/other')).text, 'other 2', 'what has not changed lost its state');
  await dev.stop();
});

test('routes that are written, renamed and removed come and go', async (t) => {
  const dev = await startDev(t, { 'package.json': manifest, 'routes/index.ts': `export const GET = 'home';\n` });
  dev.write('routes/new.ts', `export const GET = 'new';\n`);
  await dev.until('/new', 'new');
  renameSync(join(dev.folder, 'routes/new.ts'), join(dev.folder, 'routes/newer.ts'));
  await dev.until('/newer', 'new');
  assert.equal((await dev.get('/new')).status, 404);
  dev.write('routes/deep/er/index.ts', `export const GET = 'deeper';\n`);
  await dev.until('/deep/er', 'deeper');
  renameSync(join(dev.folder, 'routes/deep'), join(dev.folder, 'routes/far'));
  await dev.until('/far/er', 'deeper');
  assert.equal((await dev.get('/deep/er')).status, 404);
  dev.write('routes/far/er/index.ts', `export const GET = 'farther';\n`);
  await dev.until('/far/er', 'farther');
  dev.remove('routes/far');
  await dev.until('/far/er', /Not Found/);
  dev.write('routes/_middleware.ts', `export default (c, next) => { c.header('X-Seen', 'yes'); return next(); };\n`);
  await dev.until('/', 'home');
  for (let seen = false; !seen;) seen = (await dev.get('/')).headers['x-seen'] === 'yes';
  await dev.stop();
});

test('a broken file breaks its route alone until it is mended', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.ts': `import { word } from '../word.ts';\nexport const GET = () => word;\n`,
    'routes/other.ts': `export const GET = 'other';\n`,
    'word.ts': word('one'),
  });
  await dev.until('/', 'one');
  for (const [broken, told] of [
    ['export const word: string = ;\n', /Unexpected token/],
    [`throw new Error('at load');\nexport const word = '';\n`, /Error: at load/],
    [`import './missing.ts';\nexport const word = 'two';\n`, /missing\.ts/],
    [`export const other = 1;\n`, /does not provide an export named/],
  ] as const) {
    dev.write('word.ts', broken);
    await dev.until('/', /"status":500/);
    assert.doesNotMatch((await dev.get('/')).text, told, 'a program is told what is broken');
    const page = await dev.get('/', { accept: 'text/html' });
    assert.equal(page.status, 500);
    assert.match(page.text, told);
    assert.equal((await dev.get('/other')).text, 'other');
    await dev.seen(told);
    dev.write('word.ts', word('mended'));
    await dev.until('/', 'mended');
  }
  dev.write('word.ts', `import './missing.ts';\nexport const word = 'found';\n`);
  await dev.until('/', /"status":500/);
  dev.write('missing.ts', '');
  await dev.until('/', 'found');
  await dev.stop();
});

test('a file that becomes a link to itself is one that cannot be loaded, until it is mended', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.ts': `import { word } from '../word.ts';\nexport const GET = () => word;\n`,
    'word.ts': word('one'),
  });
  await dev.until('/', 'one');
  rmSync(join(dev.folder, 'word.ts'));
  symlinkSync('word.ts', join(dev.folder, 'word.ts'));
  symlinkSync('other', join(dev.folder, 'other'));
  await dev.until('/', /"status":500/);
  rmSync(join(dev.folder, 'word.ts'));
  dev.write('word.ts', word('mended'));
  await dev.until('/', 'mended');
  dev.kill('SIGTERM');
  const { code, stderr } = await dev.ended;
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /nobody caught/);
});

test('of fifty saves within a second the last one holds', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.ts': `import { word } from '../word.ts';\nexport const GET = () => word;\n`,
    'word.ts': word('start'),
  });
  await dev.until('/', 'start');
  for (let save = 0; save < 50; save++) {
    dev.write('word.ts', word(`save ${save}`));
    await new Promise((resume) => void setTimeout(resume, 15));
  }
  await dev.until('/', 'save 49');
  await dev.stop();
});

test('an editor that writes another file and renames it is seen each time', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.ts': `import { word } from '../word.ts';\nexport const GET = () => word;\n`,
    'word.ts': word('start'),
  });
  await dev.until('/', 'start');
  for (const text of ['first', 'second', 'third']) {
    const temporary = join(dev.folder, `word.ts~${text}`);
    writeFileSync(temporary, word(text));
    renameSync(temporary, join(dev.folder, 'word.ts'));
    await dev.until('/', text);
  }
  await dev.stop();
});

test('a config that changes opens the project anew, one that is broken leaves the one before', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.ts': `export const GET = 'home';\n`,
    'fulmar.config.ts': `export default { routes: { prefix: '/api' } };\n`,
  });
  await dev.until('/api', 'home');
  dev.write('fulmar.config.ts', `export default { routes: { prefix: '/v2' } };\n`);
  await dev.until('/v2', 'home');
  dev.write('fulmar.config.ts', `export default { rotes: {} };\n`);
  await dev.seen(/routes/);
  assert.equal((await dev.get('/v2')).text, 'home');
  dev.write('fulmar.config.ts', `export default { routes: { prefix: '/v3' } };\n`);
  await dev.until('/v3', 'home');
  await dev.stop();
});

test('a project that is broken when it starts says why where it would answer, and answers when it is mended', async (t) => {
  const dev = await startDev(
    t,
    { 'package.json': manifest, 'routes/index.ts': `export const GET = 'home';\n`, 'fulmar.config.ts': `export default { rotes: {} };\n` },
    { listens: false },
  );
  await dev.seen(/listening on http/);
  const page = await dev.get('/', { accept: 'text/html' });
  assert.equal(page.status, 500);
  assert.match(page.text, /rotes/);
  dev.write('fulmar.config.ts', `export default {};\n`);
  await dev.until('/', 'home');
  await dev.stop();
});

test('the first and the last of a thousand routes are answered, and are changed', async (t) => {
  const files: Record<string, string> = { 'package.json': manifest };
  for (let at = 0; at < 1_000; at++) files[`routes/r${at}.ts`] = `export const GET = 'route ${at}';\n`;
  const dev = await startDev(t, files);
  await dev.until('/r0', 'route 0');
  await dev.until('/r999', 'route 999');
  dev.write('routes/r999.ts', `export const GET = 'changed';\n`);
  await dev.until('/r999', 'changed');
  assert.equal((await dev.get('/r500')).text, 'route 500');
  await dev.stop('SIGINT');
});

test('what a process reads when it starts is told to need another start', async (t) => {
  const dev = await startDev(t, { 'package.json': manifest, 'routes/index.ts': `export const GET = 'home';\n`, '.env': 'A=1\n' });
  dev.write('.env', 'A=2\n');
  await dev.seen(/\.env has changed, which is read when the process starts, by --env-file or the application/);
  dev.write('package.json', JSON.stringify({ type: 'commonjs' }));
  await dev.seen(/package\.json has changed, which is read when the process starts:/);
  await dev.stop();
});

test('a package that is added needs no other start, and one that was missing does', async (t) => {
  const dev = await startDev(t, {
    'package.json': manifest,
    'routes/index.js': `export const GET = 'home';\n`,
    'routes/other.js': `export const GET = 'other';\n`,
  });
  const install = (name: string, text: string): void => {
    dev.write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './deep/index.js' }));
    dev.write(`node_modules/${name}/deep/index.js`, `export const word = '${text}';\n`);
  };
  install('tern', 'a tern');
  dev.write('package.json', JSON.stringify({ type: 'module', dependencies: { tern: '1.0.0' } }));
  dev.write('routes/index.js', `import { word } from 'tern';\nexport const GET = () => word;\n`);
  await dev.until('/', 'a tern');
  dev.write('routes/other.js', `import { word } from 'skua';\nexport const GET = () => word;\n`);
  await dev.until('/other', /"status":500/);
  dev.write('package.json', JSON.stringify({ type: 'module', dependencies: { tern: '1.0.0', skua: '1.0.0' } }));
  await dev.seen(/package\.json has changed/);
  await dev.stop();
  const [before] = (await dev.ended).stderr.split('✗ GET /other');
  assert.doesNotMatch(before ?? '', /package\.json has changed/);
});
