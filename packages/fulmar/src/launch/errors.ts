/**
 * Errors of the command line, and how they are shown.
 *
 * A `CliError` is for the person at the terminal: one line that says what was found and what to do, no stack. Errors of the
 * application are never touched; Node shows them.
 */
import { readGlobal, setGlobal } from '../host/globals.ts';
import { ENGINE_UNAVAILABLE } from '../host/engine.ts';

/** Every code of this layer; `docs/reference/cli.md` explains each. */
export const cliErrorCodes = [
  'FULMAR_CLI_UNKNOWN_COMMAND',
  'FULMAR_CLI_UNKNOWN_OPTION',
  'FULMAR_CLI_MISSING_VALUE',
  'FULMAR_CLI_INVALID_VALUE',
  'FULMAR_CLI_MISSING_FILE',
  'FULMAR_CLI_NOT_FOUND',
  'FULMAR_CLI_DIRECTORY',
  'FULMAR_CLI_UNSUPPORTED_FILE',
  'FULMAR_CLI_ENV_FILE',
  'FULMAR_CLI_TSCONFIG',
  'FULMAR_CLI_SYNTAX',
  'FULMAR_CLI_NOT_INSTALLED',
  'FULMAR_CLI_TEMPORARY',
  'FULMAR_CLI_BENCH_PLATFORM',
  'FULMAR_CLI_BENCH_LOAD',
  'FULMAR_CLI_BENCH_START',
  'FULMAR_CLI_BENCH_ADDRESS',
  'FULMAR_CLI_BENCH_ANSWERS',
  'FULMAR_CLI_BENCH_BUSY',
  'FULMAR_CLI_DOCTOR_START',
  'FULMAR_CLI_BUILD_MODULES',
  'FULMAR_CLI_BUILD_INCLUDE',
  'FULMAR_CLI_BUILD_OUTPUT',
  'FULMAR_CLI_BUILD_FAILED',
] as const;

/** The command line itself is not understood. */
const usageErrors: readonly unknown[] = [
  'FULMAR_CLI_UNKNOWN_COMMAND',
  'FULMAR_CLI_UNKNOWN_OPTION',
  'FULMAR_CLI_MISSING_VALUE',
  'FULMAR_CLI_INVALID_VALUE',
  'FULMAR_CLI_MISSING_FILE',
] satisfies CliErrorCode[];
const EXIT_USAGE = 2;

/** 2 for a command line that is not understood, 1 for all else. By the code: the class is there once in each bundle. */
export function exitCodeOf(error: unknown): number {
  return usageErrors.includes((error as { code?: unknown } | null)?.code) ? EXIT_USAGE : 1;
}

export type CliErrorCode = (typeof cliErrorCodes)[number];

export class CliError extends Error {
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
  }
}

/** A source that does not parse. The message holds the place and a frame of the original source. */
export function toSyntaxError(message: string): SyntaxError & { code: CliErrorCode } {
  const error = Object.assign(new SyntaxError(message), { code: 'FULMAR_CLI_SYNTAX' as const });
  error.stack = `SyntaxError: ${message}`;
  return error;
}

/** From here on names that servers listen on are noted. */
export function noteListenHosts(): void {
  if (readGlobal('fulmar.listen-hosts') === undefined) setGlobal('fulmar.listen-hosts', new Set());
}

/** The Unix socket that `error` says is in use. */
export function toSocketPath(error: unknown): string | undefined {
  const { code, address, port = -1 } = (error ?? {}) as { code?: unknown; address?: unknown; port?: number };
  return code === 'EADDRINUSE' && port < 0 && typeof address === 'string' ? address : undefined;
}

const WITHOUT_ENGINE = '(Until then `fulmar run --no-alias` runs on Node alone what imports express, koa or http.)';

/** What to print for an error nobody caught, or `undefined` when it is the application's and Node's to show. */
export function describeUncaught(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: unknown };
  if (syscall === 'listen' || syscall === 'bind') return describeListen(error);
  if (syscall === 'getaddrinfo' && typeof hostname === 'string' && readGlobal('fulmar.listen-hosts')?.has(hostname)) {
    return `cannot listen on ${hostname}: no address was found for that name (${code}). Use an address of this machine, or leave the host out.`;
  }
  if (code === ENGINE_UNAVAILABLE) return `${error.message} ${WITHOUT_ENGINE}`;
  if (error instanceof CliError || code?.startsWith('FULMAR_CLI_')) return error.message;
  return undefined;
}

function describeListen(error: NodeJS.ErrnoException & { address?: string; port?: number }): string | undefined {
  const isPath = error.port === undefined || error.port < 0;
  const where = isPath ? `the socket ${error.address ?? ''}`.trimEnd() : `port ${error.port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return isPath
        ? `${where} is in use. Stop the other process, or remove the file if none is left.`
        : `${where} is in use. Stop the other process (find it with \`lsof -i :${error.port}\`) or listen on another port.`;
    case 'EACCES':
      return `no permission to listen on ${where}.${isPath ? '' : ' Use a port of 1024 or above.'}`;
    case 'EADDRNOTAVAIL':
      return `the address ${error.address ?? ''} is not one of this machine's; use one that is, or leave the host out.`;
    default:
      return undefined;
  }
}
