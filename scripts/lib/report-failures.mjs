/**
 * Reporter of `node --test` for people: nothing while tests pass, everything known about a test that fails.
 */
import { inspect } from 'node:util';
import { outcome } from './test-outcome.mjs';

export default async function* reportFailures(events) {
  // Node reports file by file, so what was printed since the last top-level test belongs to the present one.
  let printed = '';
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') {
      if (printed.length < printedMax) printed += data.message;
    } else if (type === 'test:pass' || type === 'test:fail') {
      if (outcome(type, data) === 'failed') yield describe(data, printed);
      if (data.nesting === 0) printed = '';
    }
  }
}

/** Characters kept of what a test prints: a test in a loop must not fill the memory. */
const printedMax = 64 * 1024;

function describe(data, output) {
  const error = data.details?.error;
  const cause = error?.cause instanceof Error || typeof error?.cause === 'object' ? error.cause : error;
  const text = typeof cause === 'object' && cause !== null ? inspect(cause, { depth: 8, colors: false }) : String(cause);
  const reason = error === undefined ? 'The file contains no test.' : text;
  const where = data.file === undefined ? '' : `\n  at ${data.file}:${data.line ?? 1}`;
  const log = output === '' ? '' : `\n  --- printed by the file ---\n${indent(output.trimEnd())}`;
  return `\n✖ ${data.name}${where}\n${indent(reason)}${log}\n`;
}

function indent(text) {
  return text.replaceAll(/^/gm, '    ');
}
