/** Which options of Node `fulmar run` passes on besides those that `NODE_OPTIONS` allows. Data only. */

/**
 * Options of Node and V8 that `NODE_OPTIONS` does not allow, in some versions at least, and that make sense
 * here all the same.
 */
export const moreNodeFlags: readonly string[] = [
  '--allow-natives-syntax',
  '--cpu-prof',
  '--cpu-prof-dir',
  '--cpu-prof-interval',
  '--cpu-prof-name',
  '--env-file-if-exists',
  '--expose-gc',
  '--prof',
  '--trace-deopt',
  '--trace-gc',
  '--trace-opt',
  '--watch-path',
  '--watch-preserve-output',
];
