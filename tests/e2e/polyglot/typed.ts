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

/** What a call gives has the type that stands there, no wider one. */
export const EXACT = `
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const told: unknown[] = [];
const show = (value: unknown): unknown => (typeof value === 'bigint' ? value + 'n' : value instanceof Set ? ['Set', ...value] : value instanceof Map ? ['Map', ...value] : ArrayBuffer.isView(value) ? [value.constructor.name, ...(value as unknown as number[])].map(String) : value);
function is<T>() { return <V>(value: V, ..._same: Same<V, T> extends true ? [] : [never]): void => void told.push(show(value)); }
`;
