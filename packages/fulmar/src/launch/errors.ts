/**
 * Errors of the command line and of what it puts around an application, and how they are shown.
 *
 * A `CliError` is for the person at the terminal: one line that says what was found and what to do, no stack.
 * Errors of the application are never touched; Node shows them.
 */
import { readGlobal, setGlobal } from '../host/globals.ts';
import { ENGINE_UNAVAILABLE } from '../host/engine.ts';

/**
 * The codes of this layer; the commands have more (`packages/cli/src/errors.ts`).
 * `docs/guide/troubleshoot.md` explains each.
 */
export const launchErrorCodes = ['FULMAR_CLI_TSCONFIG', 'FULMAR_CLI_SYNTAX', 'FULMAR_CLI_NOT_INSTALLED'] as const;

export type LaunchErrorCode = (typeof launchErrorCodes)[number];

export class CliError<Code extends `FULMAR_CLI_${string}` = LaunchErrorCode> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CliError';
    this.code = code;
  }
}

/** A source that does not parse. The message holds the place and a frame of the original source. */
export function toSyntaxError(message: string): SyntaxError & { code: LaunchErrorCode } {
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

/**
 * What to print for an error nobody caught, or `undefined` when it is the application's and Node's to show.
 */
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
