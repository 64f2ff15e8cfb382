/**
 * How two logs are made equal where the exceptions say so: lines taken out, words replaced, parts put in
 * another order. Decides nothing: which scene gets what stands in `exceptions.ts`.
 */
import type { Log } from './model.ts';

export type Pair = readonly [upstream: Log, ours: Log];

export const both =
  (change: (log: Log) => Log) =>
  ([upstream, ours]: Pair): Pair => [change(upstream), change(ours)];
export const without = (log: Log, lines: RegExp): Log => log.filter((line) => !lines.test(line));
export const replaced = (log: Log, part: RegExp, by: string): Log => log.map((line) => line.replace(part, by));

/** The part of a log from a mark on, or before it. */
export const from = (log: Log, mark: string): Log => log.slice(Math.max(0, log.indexOf(mark)));
export const before = (log: Log, mark: string): Log => log.slice(0, Math.max(0, log.indexOf(mark)));

/**
 * Numbers of the replies behind the first one that was open when the client left, of which Node before 26
 * says nothing.
 */
export function heldReplies(upstream: Log): readonly string[] {
  const over = new Set(upstream.flatMap((line) => /^res(\d+) close/.exec(line)?.[1] ?? []));
  return upstream.flatMap((line) => /^request (\d+) /.exec(line)?.[1] ?? []).filter((number) => !over.has(number));
}

/** A log without anything about some replies; what is said of their requests stays. */
export function withoutReplies(log: Log, numbers: readonly string[]): Log {
  if (numbers.length === 0) return log;
  const which = `(?:${numbers.join('|')})`;
  const lines = new RegExp(`^(?:res${which} |finished\\(res${which}\\)|signal${which} |late (?:write|end) ${which} )`);
  return replaced(without(log, lines), new RegExp(` res${which} .*`), '');
}

export const KEPT_AT_ONCE = 16;
export const beyond = (log: Log): Log =>
  log.filter(
    (line) =>
      !(Number(/^(?:request |now req|late write |late end |req|res|finished\(re.|signal)(\d+)/.exec(line)?.[1] ?? 0) > KEPT_AT_ONCE),
  );

/** Stable: lines of one request stay in order; a mark separates. */
export function byRequest(log: Log): Log {
  const parts: string[][] = [[]];
  for (const line of log) {
    if (line.startsWith('---')) parts.push([]);
    parts.at(-1)?.push(line);
  }
  const number = (line: string): number => Number(/^(?:req|res|finished\(re.|signal|now req|late \w+ )(\d+)/.exec(line)?.[1] ?? 0);
  return parts
    .flatMap((part) => part.map((line, at) => ({ line, at })).sort((a, b) => number(a.line) - number(b.line) || a.at - b.at))
    .map(({ line }) => line);
}

/** What is compared of a connection whose content stands still. */
export function standing(log: Log): Log {
  return [...before(log, '--- left'), ...from(log, '--- gone').filter((line) => line.startsWith('connections'))];
}

export function noticedEarlier(upstream: Log, ours: Log): Pair {
  const atLeave = (log: Log): Log =>
    from(log, '--- left')
      .filter((line) => line.startsWith('connections'))
      .slice(0, 1);
  const ends = (log: Log): Log => from(log, '--- gone').filter((line) => line.startsWith('connections'));
  return [
    ['connections 0', ...ends(upstream)],
    [...atLeave(ours), ...ends(ours)],
  ];
}

/** A log without a mark and what was noted of the state at it. */
export function withoutPart(log: Log, mark: string): Log {
  const at = log.indexOf(mark);
  if (at < 0) return log;
  const next = log.findIndex((line, index) => index > at && !/^(?:now |connections )/.test(line));
  return [...log.slice(0, at), ...log.slice(next < 0 ? log.length : next)];
}

/** A log of which only the part after a mark is changed. */
export const after = (log: Log, mark: string, change: (log: Log) => Log): Log => [...before(log, mark), ...change(from(log, mark))];
