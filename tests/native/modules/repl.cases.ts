import repl from 'node:repl';
import { cases } from '../harness/cases.ts';

const reason = 'there is nothing to type into';
const more = repl as unknown as Record<string, (...args: unknown[]) => unknown>;

export default cases(
  'repl',
  {
    REPL_MODE_SLOPPY: [() => String(repl.REPL_MODE_SLOPPY)],
    REPL_MODE_STRICT: [() => String(repl.REPL_MODE_STRICT)],
    start: [() => typeof repl.start],
    writer: [() => more['writer']?.(1)],
    REPLServer: [() => typeof more['REPLServer']],
    Recoverable: [() => new repl.Recoverable(new SyntaxError('x')).name],
    isValidSyntax: [() => more['isValidSyntax']?.('1')],
  },
  { missing: { writer: reason, Recoverable: reason, isValidSyntax: reason } },
);
