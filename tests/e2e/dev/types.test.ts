/** Types that are used at run time, under `fulmar dev`: files of types alone are followed, and a type without a form is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDev } from './support.ts';

const bird = (name: string): string => `export interface Bird {\n  name: ${name};\n}\n`;

test('validators follow the types they were made of', async (t) => {
  const dev = await startDev(
    t,
    {
      'package.json': JSON.stringify({ type: 'module' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, module: 'nodenext', allowImportingTsExtensions: true, noEmit: true },
      }),
      'server.ts': `import { createApp } from 'fulmar';
import { validate } from 'fulmar/types';
import type { Bird } from './bird.ts';
const app = createApp();
app.get('/', () => [{ name: 'tern' }, { name: 7 }].map((one) => validate<Bird>(one)).join());
await app.listen(Number(process.env.PORT));
`,
      'bird.ts': bird('string'),
    },
    { args: ['server.ts'], packages: true },
  );
  await dev.until('/', 'true,false');
  dev.write('bird.ts', bird('number'));
  await dev.until('/', 'false,true');
  dev.write('bird.ts', bird('Promise<string>'));
  await dev.seen(/cannot compile types/);
  assert.equal((await dev.get('/')).text, 'false,true', 'the last good validators answer');
  dev.write('bird.ts', bird('string | number'));
  await dev.until('/', 'true,true');
  await dev.stop();
});
