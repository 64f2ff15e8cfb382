/**
 * Errors of parsers, middleware and the app as the exceptions that filters know.
 */
import { HttpError } from '../../app/index.ts';
import { STATUS_CODES } from '../../http/index.ts';
import { BadRequestException } from './family.ts';
import { HttpException } from './http-exception.ts';

interface Known {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly expose?: unknown;
  readonly segment?: unknown;
}

const UNKNOWN = 'Internal server error';

export function toException(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof HttpException) return error;
  const { status, statusCode, expose, segment } = error as Error & Known;
  // Of the app's router: a value that cannot be decoded.
  if (error.name === 'MalformedPath' && typeof segment === 'string')
    return new BadRequestException(`Failed to decode param '${segment}'`, { cause: error });
  if ((error instanceof SyntaxError || error instanceof URIError) && status === 400)
    return new BadRequestException(error.message, { cause: error });
  if (error instanceof HttpError) return error.status < 500 ? new HttpException(error.message, error.status, { cause: error }) : error;
  const isHttp = typeof expose === 'boolean' && typeof statusCode === 'number' && status === statusCode;
  if (isHttp && statusCode < 500)
    return new HttpException(expose ? error.message : (STATUS_CODES[statusCode] ?? UNKNOWN), statusCode, { cause: error });
  return error;
}
