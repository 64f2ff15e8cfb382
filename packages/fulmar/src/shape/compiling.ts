/** What is told wherever types were to be compiled and were not. */

/** By whom, and by which start: a program that was started in another way has the compiler installed in vain. */
export const BY_COMPILER =
  'Install fulmar-compiler (npm install -D fulmar-compiler) and start with `fulmar run` or, on Node 22.15 or later, `node --import fulmar/register`, ' +
  'or give your bundler the plugin of fulmar-compiler/unplugin';
