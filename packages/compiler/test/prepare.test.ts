/** `prepare()` of the built compiler: what is compiled later is the same, and what is wrong is told later. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { makeProject } from './support.ts';

interface Compiler {
  compile(file: string, text: string, cache: string | null): { readonly code: string } | undefined;
  prepare(file: string, text: string): void;
}

const require = createRequire(import.meta.url);
const { compile, prepare } = require('../dist/index.cjs') as Compiler;
const folder = makeProject({
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }',
});
after(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'a.ts');
const text = (type: string): string => `import { validate } from 'fulmar/types';\nexport const a = validate<${type}>(1);\n`;

it('says nothing of a file that is wrong, and loads what the next one needs', () => {
  writeFileSync(file, text('() => void'));
  prepare(file, text('() => void'));
  assert.equal(
    Object.keys(require.cache).some((name) => /[\\/]typescript[\\/]/.test(name)),
    true,
  );
  assert.throws(() => compile(file, text('() => void'), null), { code: 'FULMAR_TYPES' });
});

it('takes nothing from what the file says later', () => {
  prepare(file, text('string'));
  const fresh = compile(join(folder, 'b.ts'), text('number'), null)?.code;
  assert.ok(fresh !== undefined && fresh !== compile(join(folder, 'b.ts'), text('string'), null)?.code);
  assert.equal(compile(file, text('number'), null)?.code, fresh);
});
