/**
 * The hosts of an application: the Node that runs this command, as it is, the same Node under `fulmar run`,
 * and the QuickJS host.
 */
import { extname } from 'node:path';
import { NO_ALIAS_VARIABLE } from '../../../fulmar/src/launch/settings.ts';

export interface Host {
  /** For the table: `stock`. */
  readonly column: 'stock' | 'Fulmar' | 'native';
  /** For messages: `stock Node`. */
  readonly title: string;
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** For who has `fulmar/register` in `NODE_OPTIONS`: stock is stock. */
const stockEnv = { [NO_ALIAS_VARIABLE]: '1' };

export interface Program {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** `bin/fulmar.cjs`, absolute. */
  readonly binFile: string;
}

/** `nodeFlags` stand before the file. */
export function stockHost({ file, args }: Program, nodeFlags: readonly string[] = []): Host {
  return { column: 'stock', title: 'stock Node', command: [process.execPath, ...nodeFlags, file, ...args], env: stockEnv };
}

export function fulmarHost({ file, args, binFile }: Program): Host {
  return { column: 'Fulmar', title: 'Fulmar', command: [process.execPath, binFile, 'run', '--', file, ...args] };
}

/** `executable` was made of the application. */
export function quickjsHost(executable: string, { args }: Program): Host {
  return { column: 'native', title: 'the native host', command: [executable, ...args] };
}

/**
 * Node's own HTTP server for sources that Node cannot load: `fulmar run` compiles them and changes nothing
 * else. Never measured.
 */
export function compiledHost({ file, args, binFile }: Program, nodeFlags: readonly string[] = []): Host {
  const command = [process.execPath, ...nodeFlags, binFile, 'run', '--no-alias', '--', file, ...args];
  return { column: 'stock', title: 'stock Node (compiled by Fulmar)', command };
}

/** Is it a source that has to be compiled, by Node or by us? */
export function isTypeScript(file: string): boolean {
  return /^\.(?:[cm]?ts|tsx|jsx)$/.test(extname(file));
}

/** Does the Node that runs this command say that it can load such a file? */
export function canLoad(file: string): boolean {
  if (!isTypeScript(file)) return true;
  const { features } = process as { features: { typescript?: false | string } };
  return typeof features.typescript === 'string' && !extname(file).endsWith('x');
}
