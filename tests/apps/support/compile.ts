/**
 * Compiles a TypeScript application with its own compiler and its own `tsconfig.json`, as its build script
 * does.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Rejects with what the compiler found. */
export async function compile(folder: URL): Promise<void> {
  const path = fileURLToPath(folder);
  const compiler = createRequire(join(path, 'package.json')).resolve('typescript/package.json').replace('package.json', 'bin/tsc');
  try {
    await run(process.execPath, [compiler, '-p', path], { cwd: path });
  } catch (error) {
    throw new Error(`the application does not compile:\n${(error as { stdout?: string }).stdout}`, { cause: error });
  }
}
