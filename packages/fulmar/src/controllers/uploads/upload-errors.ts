/**
 * Errors of multer and of its parser as exceptions, with Nest's statuses and texts. What is the server's own fault, as
 * of a storage, stays what it is.
 */
import { BadRequestException, PayloadTooLargeException, UnsupportedMediaTypeException } from '../exceptions/family.ts';
import { HttpException } from '../exceptions/http-exception.ts';

/** `code` of a MulterError that is the client's fault; STREAM_DESTROYED is not. */
const BAD_CODES: ReadonlySet<unknown> = new Set([
  'LIMIT_PART_COUNT',
  'LIMIT_FILE_COUNT',
  'LIMIT_FIELD_KEY',
  'LIMIT_FIELD_VALUE',
  'LIMIT_FIELD_COUNT',
  'LIMIT_UNEXPECTED_FILE',
  'MISSING_FIELD_NAME',
  'LIMIT_FIELD_NESTING',
  'LIMIT_FIELD_ARRAY_INDEX',
  'INVALID_FIELD_NAME',
]);
/** Messages of the parser, and of multer without a code. */
const NO_BOUNDARY = 'Multipart: Boundary not found';
const BROKEN: ReadonlySet<unknown> = new Set(['Malformed part header', 'Unexpected end of form', 'Unexpected end of file']);
/** The client has left: nobody is told, and it is nothing that an operator could mend. */
const LEFT: ReadonlySet<unknown> = new Set(['Request aborted', 'Request closed']);
const UNSUPPORTED = 'Unsupported content type';
const TOO_LARGE = 'File too large';
const WITHOUT_CODE: ReadonlySet<unknown> = new Set([
  'Too many parts',
  'Too many files',
  'Field name too long',
  'Field value too long',
  'Too many fields',
  'Unexpected file field',
  'Field name missing',
  'Field name nesting too deep',
  'Field name array index too large',
  'Invalid field name',
]);

export function uploadException(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof HttpException) return error;
  const { code, field, message } = error as Error & { code?: unknown; field?: unknown };
  const options = { cause: error };
  if (code === 'LIMIT_FILE_SIZE' || message === TOO_LARGE) return new PayloadTooLargeException(message, options);
  if (BAD_CODES.has(code) || WITHOUT_CODE.has(message)) {
    const where = typeof field === 'string' && field !== '' ? ` - ${field}` : '';
    return new BadRequestException(`${message}${where}`, options);
  }
  if (message === NO_BOUNDARY) return new BadRequestException(message, options);
  if (LEFT.has(message)) return new BadRequestException(message, options);
  if (BROKEN.has(message)) return new BadRequestException(`Multipart: ${message}`, options);
  return message.startsWith(UNSUPPORTED) ? new UnsupportedMediaTypeException(UNSUPPORTED, options) : error;
}
