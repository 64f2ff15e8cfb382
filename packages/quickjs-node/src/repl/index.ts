/**
 * `node:repl`: there is nothing to type into.
 */
import { unavailable, unavailableClass } from '../shared/unavailable.ts';

export default {
  start: unavailable('repl.start'),
  writer: unavailable('repl.writer', 'util.inspect does the same'),
  REPLServer: unavailableClass('repl.REPLServer'),
  Recoverable: unavailableClass('repl.Recoverable'),
  isValidSyntax: unavailable('repl.isValidSyntax'),
  REPL_MODE_SLOPPY: Symbol('repl-sloppy'),
  REPL_MODE_STRICT: Symbol('repl-strict'),
};
