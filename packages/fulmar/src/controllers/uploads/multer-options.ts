/**
 * Options of the module and of an interceptor as those of one multer, with limits where nobody has said any.
 */
import { isThenable } from '../../host/thenable.ts';
import { isNil } from '../pipes/rejection.ts';
import type { MulterLimits, MulterOptions } from './multer-types.ts';

/** Names such as `a[b][c]` and `a[7]` become objects and lists of a client's making. */
const DEFAULT_LIMITS = { fieldNestingDepth: 32, fieldArrayIndexLimit: 1000, parts: 1000 };

const withoutNil = (options: object): object => Object.fromEntries(Object.entries(options).filter(([, value]) => !isNil(value)));
const isPlain = (value: unknown): value is object => typeof value === 'object' && value !== null;

export function mergedOptions(ofModule: MulterOptions, own: MulterOptions): MulterOptions {
  const merged: MulterOptions = { ...ofModule, ...withoutNil(own) };
  if (isPlain(ofModule.limits) && isPlain(own.limits)) merged.limits = { ...ofModule.limits, ...withoutNil(own.limits) };
  // Both say where files go, and multer would take the module's.
  if (own.dest && !own.storage) delete merged.storage;
  return guarded(merged);
}

function guarded(options: MulterOptions): MulterOptions {
  const { limits, fileFilter } = options;
  return {
    ...options,
    ...(typeof fileFilter === 'function' && { fileFilter: catching(fileFilter) }),
    limits: typeof limits === 'function' ? (req: unknown) => limited(limits(req)) : limited(limits),
  };
}

function limited(limits: MulterLimits = {}): MulterLimits {
  return { ...limits, ...DEFAULT_LIMITS, ...withoutNil(limits) };
}

/** What a filter throws or rejects with is the request's failure, not the process's. */
function catching(filter: NonNullable<MulterOptions['fileFilter']>): NonNullable<MulterOptions['fileFilter']> {
  return (req, file, callback) => {
    let isCalled = false;
    const once: typeof callback = (error, acceptFile) => {
      if (isCalled) return;
      isCalled = true;
      callback(error, acceptFile);
    };
    const fail = (error: unknown): void => {
      if (isCalled) throw error;
      // multer takes what is falsy for no error.
      once((error || new Error(`fileFilter failed: ${String(error)}`)) as Error, false);
    };
    try {
      const result: unknown = filter(req, file, once);
      if (isThenable(result)) result.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  };
}
