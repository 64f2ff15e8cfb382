/**
 * `fulmar bench <file>`: the application on stock Node and on Fulmar, in rounds.
 */
import { resolve } from 'node:path';
import { findEntry } from '../entry.ts';
import type { BenchOptions } from './arguments.ts';
import { temporaryFolder } from './children.ts';
import type { Program } from './hosts.ts';
import { MS_PER_S, ROUTES_TOLD_MAX } from './limits.ts';
import { onServerCore, type Quiet } from './machine.ts';
import { type Prepared, prepare } from './preparation.ts';
import { repeatCommand } from './repeat.ts';
import { type Report, toReport } from './report.ts';
import { runRounds, slotSeconds } from './rounds.ts';
import type { Setting } from './setting-types.ts';
import type { Context } from './visit.ts';

export async function benchFile(options: BenchOptions, setting: Setting): Promise<Report> {
  const program = { file: findEntry(options.target), args: options.args, binFile: resolve(setting.binFile) };
  const executable = options.native ? await buildExecutable(program, setting) : undefined;
  const context: Context = { ...setting, options, program, executable };
  const prepared = await prepare(context);
  const durationS = slotSeconds(context, prepared);
  const records = await runRounds(context, prepared, durationS);
  const paths = prepared.expectations.map(({ path }) => path);
  return toReport(
    records.map(({ host, ...record }) => ({ ...record, column: host.column })),
    {
      ...prepared,
      version: setting.version,
      target: options.target,
      settings: { ...options, durationS },
      notes: [...notesOn(context, prepared), ...notesOnMachine(setting.quiet)],
      repeat: repeatCommand(options, { paths, durationS }),
    },
  );
}

/** As `fulmar run --native` makes it: the application's files are read where they are. */
async function buildExecutable({ file, binFile }: Program, { progress }: Setting): Promise<string> {
  progress.step('building the executable …');
  const { buildThrowaway } = await import('../build/index.ts');
  const made = await buildThrowaway({ file, binFile, alias: true, drainTimeoutMs: undefined }, temporaryFolder());
  return made.file;
}

function notesOn({ pinning, options }: Context, { withoutStock, others, frameworks, expectations }: Prepared): string[] {
  const isPinned = onServerCore(pinning).length > 0;
  const notes = [
    isPinned
      ? `Server on core ${pinning.server}, load on core ${pinning.load}; all processes of the application share that core.`
      : `Nothing was pinned to cores, because ${pinning.reason}; expect more noise.`,
    `NODE_ENV=${process.env['NODE_ENV'] ?? 'production'}. "No difference" stands where the rounds vary more than the hosts differ.`,
  ];
  if (withoutStock !== undefined) notes.unshift(`Fulmar only: ${withoutStock}.`);
  if (options.paths.length === 0 && frameworks.length === 0 && expectations.length === 1) {
    notes.push('No routes of Express, Koa or Fastify were found, so / was measured; name others with --path.');
  }
  if (others.plain.length > 0)
    notes.push(`Found as well (--path, or --routes ${expectations.length + others.plain.length}): ${list(others.plain)}.`);
  if (others.patterns.length > 0) notes.push(`Routes that need values, to be named with --path: ${list(others.patterns)}.`);
  return notes;
}

function list(paths: readonly string[]): string {
  const more = paths.length - ROUTES_TOLD_MAX;
  return paths.slice(0, ROUTES_TOLD_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export function notesOnMachine({ isQuiet, waitedMs, share }: Quiet): string[] {
  const seconds = Math.round(waitedMs / MS_PER_S);
  if (!isQuiet)
    return [
      `The machine was busy: other processes used ${Math.round(share * 100)} % of its CPU time${seconds > 0 ? `, also after ${seconds} s of waiting` : ''}.`,
    ];
  return seconds > 0 ? [`Waited ${seconds} s for other processes to leave the CPU alone.`] : [];
}
