// Runs the bundler for `bundle.mjs` and `native-modules.mjs`, and writes what it made.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Failure } from './run.mjs';

/** Bundles as `config` says and returns the output; an import that leads nowhere is a `Failure`. */
export async function generate(config) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ ...config, onLog: failOnUnresolved });
  try {
    const { output } = await build.generate(config.output);
    return output;
  } catch (error) {
    throw new Failure(error.message);
  } finally {
    await build.close();
  }
}

function failOnUnresolved(level, log, handle) {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Failure(log.message);
  handle(level, log);
}

/** By rename: a process that starts meanwhile never sees half a file. */
export function writeIfChanged(file, content) {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, file);
}
