/**
 * What fulmar-compiler takes for 500 types of routes in 50 files: all of them in a new process, with its memory, and one file
 * again after a change, as `fulmar dev` does.
 *   node bench/micro/compile.mjs [--node <program>] [--rounds <n>]
 * Medians of processes; nothing is taken from a cache.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const { values } = parseArgs({
  options: { node: { type: 'string', default: process.execPath }, rounds: { type: 'string', default: '5' } },
});
const FILES = 50;
const TYPES_A_FILE = 10;

const program = `
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const [folder, compiler, files] = process.argv.slice(1);
const { compile } = require(compiler);
const fileOf = (at) => join(folder, 'routes' + at + '.ts');
const clock = () => Number(process.hrtime.bigint()) / 1e6;
const begun = clock();
for (let at = 0; at < Number(files); at += 1) {
  const made = compile(fileOf(at), readFileSync(fileOf(at), 'utf8'), null);
  if (made === undefined) throw new Error('nothing was compiled of ' + fileOf(at));
}
const cold = clock() - begun;
const { user, system } = process.cpuUsage();
const changes = [];
for (let change = 0; change < 5; change += 1) {
  const file = fileOf(change * 7);
  const text = readFileSync(file, 'utf8').replace('active: boolean', 'active' + change + ': boolean');
  const before = clock();
  if (!compile(file, text, null).code.includes('active' + change)) throw new Error('the change is not there');
  changes.push(clock() - before);
}
changes.sort((a, b) => a - b);
console.log(JSON.stringify({ cold, cpu: (user + system) / 1000, change: changes[2], rss: process.resourceUsage().maxRSS / 1024 }));
`;

const typeText = (name) => `
export interface ${name} {
  id: Int & Min<1>;
  name: string & MinLength<1> & MaxLength<100>;
  email: Email;
  createdAt: Date;
  active: boolean;
  role: 'admin' | 'editor' | 'reader';
  address?: { street: string; city: string; zip: string; country: string };
  tags: string[];
  payment: Payment;
}
app.post('/${name}', { body: schema<${name}>(), response: schema<${name}>() }, (c) => c.body);
`;

function writeApplication(folder) {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(packages, 'fulmar'), join(folder, 'node_modules', 'fulmar'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', skipLibCheck: true } }),
  );
  writeFileSync(
    join(folder, 'payment.ts'),
    "export type Payment = { kind: 'card'; number: string } | { kind: 'transfer'; iban: string; bank?: string } | { kind: 'invoice'; days: number };\n",
  );
  for (let file = 0; file < FILES; file += 1) {
    const types = Array.from({ length: TYPES_A_FILE }, (_, at) => typeText(`User${file}x${at}`)).join('');
    const imports = [
      "import { createApp } from 'fulmar';",
      "import { schema, type Email, type Int, type MaxLength, type Min, type MinLength } from 'fulmar/types';",
      "import type { Payment } from './payment.js';",
      'export const app = createApp();',
    ];
    writeFileSync(join(folder, `routes${file}.ts`), imports.join('\n') + types);
  }
}

function measure(folder) {
  const args = ['-e', program, folder, join(packages, 'compiler', 'dist', 'index.cjs'), String(FILES)];
  const { stdout, stderr, status } = spawnSync(values.node, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the compiler failed: ${stderr}`);
  return JSON.parse(stdout);
}

const folder = mkdtempSync(join(tmpdir(), 'fulmar-compile-'));
try {
  writeApplication(folder);
  const all = Array.from({ length: Number(values.rounds) }, () => measure(folder));
  const median = (name) => all.map((one) => one[name]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
  console.log(
    `${FILES * TYPES_A_FILE} types in ${FILES} files: ${median('cold').toFixed(0)} ms, ${median('cpu').toFixed(0)} ms of CPU, ${median('rss').toFixed(0)} MB`,
  );
  console.log(`one file again after a change: ${median('change').toFixed(0)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
