/**
 * `process.getBuiltinModule('http')` for the application: it takes no road that a module hook could watch.
 *
 * Replaced once, before the application. Our own code still gets Node's module: it is built on it.
 */
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type { AliasTargets } from './settings.ts';

type GetBuiltinModule = (id: string) => unknown;

export function patchGetBuiltinModule({ http, ownFolder }: AliasTargets): void {
  const original = process.getBuiltinModule as GetBuiltinModule;
  const patched: GetBuiltinModule = function getBuiltinModule(id) {
    if ((id !== 'http' && id !== 'node:http') || isCalledFrom(ownFolder + sep, patched)) return original.call(process, id);
    return createRequire(http.require)(http.require);
  };
  process.getBuiltinModule = patched as typeof process.getBuiltinModule;
}

/** Does the function that called `callee` live in `folder`? */
function isCalledFrom(folder: string, callee: GetBuiltinModule): boolean {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const probe: { stack?: NodeJS.CallSite[] } = {};
  Error.prepareStackTrace = (_error, sites) => sites;
  Error.stackTraceLimit = 1;
  try {
    Error.captureStackTrace(probe, callee);
    return probe.stack?.[0]?.getFileName()?.startsWith(folder) === true;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}
