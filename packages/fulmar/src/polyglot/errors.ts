/**
 * Errors of guests: what their code has thrown, and what stands between a call and its result. The registry of this
 * layer.
 */

/** Where a line of a guest's code was, the innermost first. */
export interface GuestFrame {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  /** The line itself, where the guest knows it. */
  readonly code?: string;
}

/** Code and HTTP status of each kind. */
const GUEST_ERRORS = {
  /** The guest's code has thrown. */
  ERR_GUEST_EXCEPTION: 500,
  /** As many calls wait as may. */
  ERR_GUEST_BUSY: 503,
  /** The time of a call is over. */
  ERR_GUEST_TIMEOUT: 504,
  /** A value that the other language has no counterpart of. */
  ERR_GUEST_VALUE: 500,
  /** What was let go of is used. */
  ERR_GUEST_HANDLE: 500,
  /** The process in which the call ran has ended (`isolated`). Servers in front of this one know it as their own kind. */
  ERR_GUEST_CRASHED: 502,
  /** The language is not here, or could not be started. */
  ERR_GUEST_UNAVAILABLE: 500,
} as const;
export type GuestErrorCode = keyof typeof GUEST_ERRORS;

/** What `describe` of a guest says of an exception. */
export interface Described {
  readonly code?: string | number;
  readonly class?: string;
  readonly message?: string;
  readonly frames?: readonly GuestFrame[];
  readonly bases?: readonly string[];
  readonly notes?: readonly string[];
  readonly arguments?: readonly unknown[];
  readonly cause?: Described;
  readonly reference?: unknown;
}

/** Thrown by calls into another language. `code` tells the kinds apart. */
export class GuestError extends Error {
  override readonly name: string = 'GuestError';
  readonly code: GuestErrorCode;
  /** What a server answers that does not look at it. */
  readonly status: number;
  /** Its message is not for clients: by this servers know an error that says what they answer. */
  readonly expose: boolean = false;
  /** `'python'`, `'ruby'`, `'java'`. */
  readonly guest: string;
  /** The exception's class in its own language: `'ValueError'`, `'java.lang.IllegalStateException'`. */
  readonly class: string | undefined;
  /** Names of the classes that it extends. */
  readonly bases: readonly string[];
  /** Where it was thrown, the innermost first. */
  readonly frames: readonly GuestFrame[];
  readonly notes: readonly string[];
  /** What the exception was made with, where that is more than its message. */
  readonly arguments: readonly unknown[];
  /** The exception's own code, where it has one. */
  readonly guestCode: string | number | undefined;

  constructor(code: GuestErrorCode, guest: string, message: string, described: Described = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = GUEST_ERRORS[code];
    this.guest = guest;
    this.class = described.class;
    this.bases = described.bases ?? [];
    this.frames = described.frames ?? [];
    this.notes = described.notes ?? [];
    this.arguments = described.arguments ?? [];
    this.guestCode = described.code;
    if (described.class !== undefined) this.stack = stackOf(this, this.stack ?? '');
    hideEmpty(this);
  }
}

/** The error's stack tells which functions of JavaScript's await it, behind `caller`, as V8 knows them. */
export function showAwaiting(error: GuestError, caller: (error: unknown) => unknown): void {
  const trace: { stack?: string } = {};
  Error.captureStackTrace?.(trace, caller);
  if (/^\s+at /m.test(trace.stack ?? '')) error.stack = stackOf(error, trace.stack ?? '');
}

/** Logs show an error with its properties: those that say nothing are left out. */
function hideEmpty(error: GuestError): void {
  for (const name of ['class', 'bases', 'frames', 'notes', 'arguments', 'guestCode'] as const) {
    const value = error[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) Object.defineProperty(error, name, { enumerable: false });
  }
}

/**
 * The guest's frames in the form of V8's, so that whatever reads stacks finds them, then JavaScript's, without ours: the
 * first one is where the error was made, in the file that we are bundled into or in our folder.
 */
function stackOf({ class: name = 'GuestError', frames, message }: GuestError, own: string): string {
  const above = frames.map((frame) => `    at ${frame.function} (${frame.file}:${frame.line}:1)`);
  // The message may look like frames.
  const lines = (own.includes(message) ? own.slice(own.indexOf(message) + message.length) : own).split('\n');
  const below = lines.filter((line) => /^\s+at /.test(line));
  const ours = /(?:\(|at )([^()\s]+?)(?:errors\.ts)?:\d+:\d+\)?$/.exec(below[0] ?? '')?.[1];
  const isOurs = (line: string): boolean => ours !== undefined && below[0]?.includes('at async ') !== true && line.includes(ours);
  return [`${name}: ${message}`, ...above, ...below.filter((line) => !isOurs(line))].join('\n');
}

/** What a guest says has gone wrong. */
export function errorOf(guest: string, described: Described): unknown {
  if (described.class === undefined) {
    const code =
      described.code !== undefined && Object.hasOwn(GUEST_ERRORS, described.code)
        ? (described.code as GuestErrorCode)
        : 'ERR_GUEST_EXCEPTION';
    return new GuestError(code, guest, described.message ?? '');
  }
  // JavaScript's own error, which has passed through the guest.
  if (described.reference instanceof Error) return described.reference;
  const cause = described.cause === undefined ? undefined : { cause: errorOf(guest, described.cause) };
  return new GuestError('ERR_GUEST_EXCEPTION', guest, described.message ?? '', described, cause);
}
