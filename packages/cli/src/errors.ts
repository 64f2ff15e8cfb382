/**
 * The errors of the commands: their codes, and what the process says with its exit code.
 */
import { CliError, type LaunchErrorCode } from '../../fulmar/src/launch/errors.ts';

/** Every code of this layer; `docs/guide/troubleshoot.md` explains each. */
export const commandErrorCodes = [
  'FULMAR_CLI_UNKNOWN_COMMAND',
  'FULMAR_CLI_UNKNOWN_OPTION',
  'FULMAR_CLI_MISSING_VALUE',
  'FULMAR_CLI_INVALID_VALUE',
  'FULMAR_CLI_MISSING_FILE',
  'FULMAR_CLI_NOT_FOUND',
  'FULMAR_CLI_DIRECTORY',
  'FULMAR_CLI_UNSUPPORTED_FILE',
  'FULMAR_CLI_ENV_FILE',
  'FULMAR_CLI_TEMPORARY',
  'FULMAR_CLI_BENCH_PLATFORM',
  'FULMAR_CLI_BENCH_PROJECT',
  'FULMAR_CLI_BENCH_LOAD',
  'FULMAR_CLI_BENCH_START',
  'FULMAR_CLI_BENCH_ADDRESS',
  'FULMAR_CLI_BENCH_ANSWERS',
  'FULMAR_CLI_BENCH_BUSY',
  'FULMAR_CLI_DOCTOR_START',
  'FULMAR_CLI_ROUTES_START',
  'FULMAR_CLI_ROUTES_OPENAPI',
  'FULMAR_CLI_BUILD_MODULES',
  'FULMAR_CLI_BUILD_INCLUDE',
  'FULMAR_CLI_BUILD_OUTPUT',
  'FULMAR_CLI_BUILD_FAILED',
  'FULMAR_CLI_NEW_FOLDER',
  'FULMAR_CLI_NEW_INSTALL',
  'FULMAR_CLI_NEW_CANCELLED',
  'FULMAR_CLI_GENERATE_PROJECT',
  'FULMAR_CLI_GENERATE_EXISTS',
  'FULMAR_CLI_GENERATE_MODULE',
  'FULMAR_CLI_POLYGLOT',
] as const;

export type CommandErrorCode = (typeof commandErrorCodes)[number] | LaunchErrorCode;

/** For the person at the terminal: one line that says what was found and what to do. */
export class CommandError extends CliError<CommandErrorCode> {}

/** The command line itself is not understood. */
const usageErrors: readonly unknown[] = [
  'FULMAR_CLI_UNKNOWN_COMMAND',
  'FULMAR_CLI_UNKNOWN_OPTION',
  'FULMAR_CLI_MISSING_VALUE',
  'FULMAR_CLI_INVALID_VALUE',
  'FULMAR_CLI_MISSING_FILE',
] satisfies CommandErrorCode[];
const EXIT_USAGE = 2;

/**
 * 2 for a command line that is not understood, 1 for all else. By the code: the class is there once in each
 * bundle.
 */
export function exitCodeOf(error: unknown): number {
  return usageErrors.includes((error as { code?: unknown } | null)?.code) ? EXIT_USAGE : 1;
}
