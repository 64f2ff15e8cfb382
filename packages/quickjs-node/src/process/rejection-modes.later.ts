/**
 * What happens to a rejection that nobody handled: Node's modes of `--unhandled-rejections`.
 */
import later from 'fulmar:later';
import { coded, inspected } from '../shared/errors.ts';
import type { Rejection } from './rejections.ts';
import { nodeOption } from './node-options.later.ts';

const ADVICE =
  'This error originated either by throwing inside of an async function without a catch block, ' +
  'or by rejecting a promise which was not handled with .catch(). ';

const { uncaught } = later<typeof import('../start/setup.ts')>();

export function reportUnhandled(promise: Promise<unknown>, rejection: Rejection): void {
  const { reason } = rejection;
  switch (nodeOption('--unhandled-rejections')) {
    case 'none':
      process.emit('unhandledRejection', reason, promise);
      return;
    case 'warn':
      process.emit('unhandledRejection', reason, promise);
      warn(rejection);
      return;
    case 'warn-with-error-codes':
      if (process.emit('unhandledRejection', reason, promise)) return;
      warn(rejection);
      process.exitCode = 1;
      return;
    case 'strict':
      uncaught(errorOf(reason), true);
      if (!process.emit('unhandledRejection', reason, promise)) warn(rejection);
      return;
    default:
      if (!process.emit('unhandledRejection', reason, promise)) uncaught(errorOf(reason), true);
  }
}

export function reportHandled(promise: Promise<unknown>, { id }: Rejection): void {
  if (process.emit('rejectionHandled', promise)) return;
  const warning = new Error(`Promise rejection was handled asynchronously (rejection id: ${id})`);
  warning.name = 'PromiseRejectionHandledWarning';
  process.emitWarning(warning);
}

function errorOf(reason: unknown): unknown {
  if (reason instanceof Error || (typeof reason === 'object' && reason !== null && Object.hasOwn(reason, 'stack'))) return reason;
  const error = coded(Error, 'ERR_UNHANDLED_REJECTION', `${ADVICE}The promise rejected with the reason "${shown(reason)}".`);
  error.name = 'UnhandledPromiseRejection';
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  error.stack = [`UnhandledPromiseRejection: ${error.message}`, ...frames].join('\n');
  return error;
}

/** As V8 names a value without running its code. */
function shown(reason: unknown): string {
  if (typeof reason === 'object' && reason !== null) {
    const name: unknown = (reason.constructor as { name?: unknown } | undefined)?.name;
    return `#<${typeof name === 'string' && name !== '' ? name : 'Object'}>`;
  }
  if (typeof reason === 'function') return String(reason);
  return typeof reason === 'string' ? reason : inspected(reason);
}

function warn({ reason, id }: Rejection): void {
  const stack = (reason as { stack?: unknown } | undefined)?.stack;
  const warning = new Error(
    `${ADVICE}To terminate the node process on unhandled promise rejection, use the CLI flag \`--unhandled-rejections=strict\` (see https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`,
  );
  warning.name = 'UnhandledPromiseRejectionWarning';
  process.emitWarning(typeof stack === 'string' ? stack : shown(reason), warning.name);
  if (reason instanceof Error) warning.stack = reason.stack ?? '';
  process.emitWarning(warning);
}
