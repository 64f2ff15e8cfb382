/**
 * Which file of the application has called, by the stack: what a module leaves behind in the process goes, or is kept,
 * with that module.
 */
import { toPath, withoutVersion } from './versions.ts';
import type { ModuleGraph } from './graph.ts';

/** A call passes through packages before it reaches us. */
const FRAMES_MAX = 50;

/** The innermost file of the graph among the callers of `callee`; undefined: there is none. */
export function ownerOf(graph: ModuleGraph, callee: Function): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const probe: { stack?: NodeJS.CallSite[] } = {};
  Error.prepareStackTrace = (_error, sites) => sites;
  Error.stackTraceLimit = FRAMES_MAX;
  try {
    Error.captureStackTrace(probe, callee);
    for (const site of probe.stack ?? []) {
      const name = site.getFileName();
      if (name === null || name === undefined) continue;
      const file = toPath(withoutVersion(name)) ?? name;
      if (graph.has(file)) return file;
    }
    return undefined;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
