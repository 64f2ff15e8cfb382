/**
 * `process.getBuiltinModule('http')` for the application: it takes no road that a module hook could watch.
 *
 * Replaced once, before the application. Our own code still gets Node's module: it is built on it.
 */
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { untouchedHttp } from './http-takeover.ts';
import type { AliasTargets } from '../settings.ts';
import { defineGlobal } from '../../host/globals.ts';

type GetBuiltinModule = (id: string) => unknown;

/** `keepsHttp`: Node's `http` is going to be changed, and our own code gets it as it was. */
export function patchGetBuiltinModule({ http, ownFolder }: AliasTargets, keepsHttp: boolean): void {
  const original = process.getBuiltinModule as GetBuiltinModule;
  const given: GetBuiltinModule = (id) => {
    const found = original.call(process, id);
    return keepsHttp && isHttp(id) ? untouchedHttp(found as object) : found;
  };
  const patched: GetBuiltinModule = function getBuiltinModule(id) {
    if (!isHttp(id)) return original.call(process, id);
    if (isCalledFrom(ownFolder + sep, patched)) return given(id);
    return createRequire(http.require)(http.require);
  };
  // Our own code finds Node's function there, also when a tool that hooks modules has put itself in front of
  // ours.
  defineGlobal('fulmar.getBuiltinModule', { value: given });
  process.getBuiltinModule = patched as typeof process.getBuiltinModule;
}

const isHttp = (id: string): boolean => id === 'http' || id === 'node:http';

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
