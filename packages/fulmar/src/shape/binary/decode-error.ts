/** Thrown for bytes that are no binary form, or that of another type: what was expected, what was found, where. */
export class DecodeError extends Error {
  readonly code = 'FULMAR_DECODE';
  /** The number of the byte. */
  readonly at: number;

  constructor(expected: string, received: string, at: number) {
    super(`the bytes cannot be decoded: at byte ${at}, ${expected} is expected, and there is ${received}`);
    this.name = 'DecodeError';
    this.at = at;
  }
}
