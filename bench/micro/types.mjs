/**
 * Code made of types beside that of others: checks, encoders and decoders of some shapes, interleaved in one
 * process, so that a busy machine slows all of them alike.
 *   node bench/micro/types.mjs                      on this Node
 *   node bench/micro/types.mjs --node <program>     on another one
 *   --only <text> (as in encoders/items), --rounds <n>
 * Prints nanoseconds per call, the lowest of all rounds, and what of the fastest other one's speed is ours: above 1 ours
 * is faster. Needs what `npm run build` makes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { install } from '../../scripts/setup.mjs';

const folder = fileURLToPath(new URL('types', import.meta.url));
const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '20' },
  },
});

const cache = join(folder, '.cache');
const require = createRequire(join(folder, 'package.json'));

/** Without types, which no Node before 22 reads. */
function writePlain(name, text) {
  const ts = require('typescript');
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  writeFileSync(join(cache, name), outputText);
}

function generateTypia() {
  const made = join(cache, 'typia');
  const program = join(folder, 'node_modules', 'typia', 'lib', 'executable', 'typia.js');
  const from = ['--input', 'typia', '--output', made, '--project', join('typia', 'tsconfig.json')];
  execFileSync(process.execPath, [program, 'generate', ...from], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writePlain('typia.mjs', readFileSync(join(made, 'typia.ts'), 'utf8'));
}

function compileOurs() {
  const { compile } = createRequire(import.meta.url)('fulmar-compiler');
  const file = join(folder, 'ours.ts');
  writePlain('ours.mjs', compile(file, readFileSync(file, 'utf8'), null).code);
}

await install(folder, { optional: false });
mkdirSync(cache, { recursive: true });
generateTypia();
compileOurs();
process.exitCode = spawnSync(values.node, [join(folder, 'measure.mjs'), values.only, values.rounds], { stdio: 'inherit' }).status ?? 1;
