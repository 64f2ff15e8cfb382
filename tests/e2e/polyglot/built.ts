/** Applications of tests that are built, into one file and into one executable, and run where nothing else of them is. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fulmar, start } from '../cli/support.ts';

/** Folder of an application with these files. */
export function appWith(files: Readonly<Record<string, string>>): string {
  const app = mkdtempSync(join(tmpdir(), 'fulmar-guest-app-'));
  after(() => rmSync(app, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(join(app, name, '..'), { recursive: true });
    writeFileSync(join(app, name), text);
  }
  mkdirSync(join(app, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../../packages/fulmar', import.meta.url)), join(app, 'node_modules', 'fulmar'));
  return app;
}

/** What starts a server of `handlers` (statements that use `app`) and tells its port. */
export const serverOf = (imports: string, handlers: string): string => `import { createApp } from 'fulmar';
${imports}
const app = createApp();
${handlers}
const server = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(\`PORT \${new URL(server.url).port}\`);
`;

/** `server.js` of `app`, built with these options and run from another folder, gives these replies and ends well. */
export async function answersBuilt(app: string, options: readonly string[], replies: Readonly<Record<string, unknown>>): Promise<void> {
  const isNative = options.includes('--native');
  const elsewhere = mkdtempSync(join(tmpdir(), 'fulmar-guest-elsewhere-'));
  after(() => rmSync(elsewhere, { recursive: true, force: true }));
  const out = join(elsewhere, isNative ? 'server' : 'server.mjs');
  const { code, stderr } = await fulmar(app, ['build', 'server.js', ...options, '-o', out]);
  assert.equal(code, 0, stderr);
  const aside = `${app}-aside`;
  // Nothing of it is read any more.
  cpSync(app, aside, { recursive: true });
  rmSync(app, { recursive: true });
  try {
    const server = isNative ? start(elsewhere, [], { program: out }) : start(elsewhere, [out], { plain: true });
    try {
      const port = await server.port();
      for (const [path, expected] of Object.entries(replies)) {
        const text = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
        assert.deepEqual(typeof expected === 'string' ? text : JSON.parse(text), expected, path);
      }
    } finally {
      server.kill('SIGTERM');
    }
    const ended = await server.ended;
    assert.equal(ended.code, 0, ended.stderr);
  } finally {
    cpSync(aside, app, { recursive: true });
    rmSync(aside, { recursive: true });
  }
}

export const forms: readonly (readonly [what: string, options: readonly string[]])[] = [
  ['one file', []],
  ['one executable', ['--native']],
];
