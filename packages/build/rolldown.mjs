/**
 * Runs the bundler for `bundle.mjs` and `quickjs-modules.mjs`, and writes what it made. The bundler is loaded
 * when it is used: these scripts are what installs it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { Failure } from '../../scripts/lib/run.mjs';

/** Bundles as `config` says and returns the output; an import that leads nowhere is a `Failure`. */
export async function generate(config) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ ...config, onLog });
  try {
    const { output } = await build.generate(config.output);
    return output;
  } catch (error) {
    throw new Failure(error.message);
  } finally {
    await build.close();
  }
}

const SHORT_NAMES = {
  compress: false,
  mangle: { keepNames: true, reserved: ['exports', 'require', 'module'] },
  codegen: { removeWhitespace: false },
};

/** `code` with short names for what is not seen from outside; functions and classes still say theirs. */
export async function shortenNames(file, code) {
  const { minify } = await import('rolldown/utils');
  const { code: shortened, errors } = await minify(file, code, SHORT_NAMES);
  if (errors.length > 0) throw new Failure(`${file}: ${errors.map(({ message }) => message).join('\n')}`);
  return shortened;
}

/** What there is to say of a package's own source is for its authors: nobody here can change it. */
const isOfDependency = ({ id, message }) => /[\\/]node_modules[\\/]/.test(id ?? '') || message.startsWith('node_modules/');

function onLog(level, log, handle) {
  if (log.code === 'UNRESOLVED_IMPORT') throw new Failure(log.message);
  if (!isOfDependency(log)) handle(level, log);
}

/** By rename: a process that starts meanwhile never sees half a file. */
export function writeIfChanged(file, content) {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, file);
}
