/**
 * The errors of HTTP by name, each with its status and its title: `throw new NotFoundException('No such cat')`.
 */
import { HttpStatus } from '../enums.ts';
import { HttpException, type HttpExceptionOptions } from './http-exception.ts';

type Given = string | number | object;
type Described = string | HttpExceptionOptions;

/** What the constructors of the family hand on. */
function bodyOf(
  status: number,
  title: string,
  given: unknown,
  described: Described | undefined,
): [Record<string, any>, number, HttpExceptionOptions] {
  const options = typeof described === 'object' ? described : {};
  const description = (typeof described === 'string' ? described : options.description) ?? title;
  return [HttpException.createBody(given, description, status, options.errorCode), status, options];
}

export class BadGatewayException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.BAD_GATEWAY, 'Bad Gateway', objectOrError, descriptionOrOptions));
  }
}

export class BadRequestException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.BAD_REQUEST, 'Bad Request', objectOrError, descriptionOrOptions));
  }
}

export class ConflictException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.CONFLICT, 'Conflict', objectOrError, descriptionOrOptions));
  }
}

export class ForbiddenException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.FORBIDDEN, 'Forbidden', objectOrError, descriptionOrOptions));
  }
}

export class GatewayTimeoutException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.GATEWAY_TIMEOUT, 'Gateway Timeout', objectOrError, descriptionOrOptions));
  }
}

export class GoneException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.GONE, 'Gone', objectOrError, descriptionOrOptions));
  }
}

export class HttpVersionNotSupportedException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.HTTP_VERSION_NOT_SUPPORTED, 'HTTP Version Not Supported', objectOrError, descriptionOrOptions));
  }
}

export class ImATeapotException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.I_AM_A_TEAPOT, "I'm a teapot", objectOrError, descriptionOrOptions));
  }
}

export class InternalServerErrorException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.INTERNAL_SERVER_ERROR, 'Internal Server Error', objectOrError, descriptionOrOptions));
  }
}

export class MethodNotAllowedException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.METHOD_NOT_ALLOWED, 'Method Not Allowed', objectOrError, descriptionOrOptions));
  }
}

export class MisdirectedException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.MISDIRECTED, 'Misdirected', objectOrError, descriptionOrOptions));
  }
}

export class NotAcceptableException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.NOT_ACCEPTABLE, 'Not Acceptable', objectOrError, descriptionOrOptions));
  }
}

export class NotFoundException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.NOT_FOUND, 'Not Found', objectOrError, descriptionOrOptions));
  }
}

export class NotImplementedException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.NOT_IMPLEMENTED, 'Not Implemented', objectOrError, descriptionOrOptions));
  }
}

export class PayloadTooLargeException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.PAYLOAD_TOO_LARGE, 'Payload Too Large', objectOrError, descriptionOrOptions));
  }
}

export class PreconditionFailedException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.PRECONDITION_FAILED, 'Precondition Failed', objectOrError, descriptionOrOptions));
  }
}

export class RequestTimeoutException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.REQUEST_TIMEOUT, 'Request Timeout', objectOrError, descriptionOrOptions));
  }
}

export class ServiceUnavailableException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.SERVICE_UNAVAILABLE, 'Service Unavailable', objectOrError, descriptionOrOptions));
  }
}

export class UnauthorizedException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.UNAUTHORIZED, 'Unauthorized', objectOrError, descriptionOrOptions));
  }
}

export class UnprocessableEntityException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.UNPROCESSABLE_ENTITY, 'Unprocessable Entity', objectOrError, descriptionOrOptions));
  }
}

export class UnsupportedMediaTypeException extends HttpException {
  constructor(objectOrError?: Given, descriptionOrOptions?: Described) {
    super(...bodyOf(HttpStatus.UNSUPPORTED_MEDIA_TYPE, 'Unsupported Media Type', objectOrError, descriptionOrOptions));
  }
}
