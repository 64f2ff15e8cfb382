/** Projects whose types the compiler looks at, as an application has them: `fulmar` is installed there. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fulmarBin, nodeBinary, writeProject } from '../cli/support.ts';

const root = resolve(import.meta.dirname, '../../..');
const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2022',
  allowArbitraryExtensions: true,
  noEmit: true,
  types: ['node', 'fulmar/polyglot/modules', 'fulmar/polyglot/global'],
};

export function project(files: Record<string, string>): string {
  const folder = writeProject({
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
    ...files,
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve(fulmarBin, '../..'), join(folder, 'node_modules', 'fulmar'));
  symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  return folder;
}

/** What the compiler has to say. */
export const check = (folder: string): Promise<string> =>
  new Promise((done) =>
    execFile(nodeBinary, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], (_error, stdout, stderr) => done(stdout + stderr)),
  );
