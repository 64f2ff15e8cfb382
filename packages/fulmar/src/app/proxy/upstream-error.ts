/** An upstream that could not be asked, or gave no reply: what of it decides whether it may be asked again. */

export class UpstreamError extends Error {
  /** Nothing of the request has left. */
  readonly isUnsent: boolean;
  /** Time was up. */
  readonly isLate: boolean;

  constructor(
    message: string,
    { cause, isUnsent = false, isLate = false }: { cause?: unknown; isUnsent?: boolean; isLate?: boolean } = {},
  ) {
    super(message, { cause });
    this.isUnsent = isUnsent;
    this.isLate = isLate;
  }
}
