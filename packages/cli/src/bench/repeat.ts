/**
 * The command line that measures the same again, with every choice that was made by itself written out.
 */
import type { BenchOptions } from './arguments.ts';
import { STARTS_DEFAULT } from './limits.ts';

export function repeatCommand(options: BenchOptions, { paths, durationS }: { paths: readonly string[]; durationS: number }): string {
  const isDefaultMethod = options.method === (options.body === undefined ? 'GET' : 'POST');
  const words = [
    'fulmar',
    'bench',
    options.target,
    ...paths.flatMap((path) => ['--path', path]),
    ...(isDefaultMethod ? [] : ['--method', options.method]),
    ...options.headers.flatMap((line) => ['--header', line]),
    ...(options.body === undefined ? [] : ['--body', options.body]),
    ...(options.port === undefined ? [] : ['--port', String(options.port)]),
    '--connections',
    String(options.connections),
    '--duration',
    String(durationS),
    '--rounds',
    String(options.rounds),
    ...(options.starts === STARTS_DEFAULT ? [] : ['--starts', String(options.starts)]),
    ...(options.wait ? [] : ['--no-wait']),
    ...(options.native ? ['--native'] : []),
    ...(options.allowRemote ? ['--allow-remote'] : []),
    ...(options.args.length === 0 ? [] : ['--', ...options.args]),
  ];
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
