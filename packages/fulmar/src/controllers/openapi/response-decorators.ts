/**
 * `@ApiResponse()` and one decorator for each status.
 */
import { HttpStatus } from '../enums.ts';
import { onClassOrMethod } from '../metadata/placed.ts';
import { define, read } from '../metadata/reflect.ts';
import { API } from './keys.ts';
import { type Given, unlisted, without } from './given.ts';

export interface ApiResponseOptions {
  status?: number | 'default' | '1XX' | '2XX' | '3XX' | '4XX' | '5XX';
  description?: string;
  type?: unknown;
  isArray?: boolean;
  schema?: Given;
  [member: string]: unknown;
}
type ResponseDecorator = (options?: ApiResponseOptions) => MethodDecorator & ClassDecorator;

export function ApiResponse(options: ApiResponseOptions): MethodDecorator & ClassDecorator {
  const { status = 'default' } = options;
  const one = { ...without(options, 'status'), ...unlisted(options.type, options.isArray), description: options.description ?? '' };
  return onClassOrMethod('ApiResponse', (target) => {
    const known = read<Record<string, Given>>(API.responses, target) ?? {};
    define(API.responses, { ...known, [status]: merged(known[String(status)], one) }, target);
  });
}

/** Two of one status are one with both descriptions. */
function merged(before: Given | undefined, one: Given): Given {
  if (before === undefined) return one;
  const description = [before['description'], one['description']].filter((text) => text !== '').join('\n\n');
  return { ...before, ...one, description };
}

const of =
  (status: NonNullable<ApiResponseOptions['status']>): ResponseDecorator =>
  (options = {}) =>
    ApiResponse({ ...options, status });

export const ApiDefaultResponse = of('default');
export const ApiOkResponse = of(HttpStatus.OK);
export const ApiCreatedResponse = of(HttpStatus.CREATED);
export const ApiAcceptedResponse = of(HttpStatus.ACCEPTED);
export const ApiNoContentResponse = of(HttpStatus.NO_CONTENT);
export const ApiMovedPermanentlyResponse = of(HttpStatus.MOVED_PERMANENTLY);
export const ApiFoundResponse = of(HttpStatus.FOUND);
export const ApiNotModifiedResponse = of(HttpStatus.NOT_MODIFIED);
export const ApiBadRequestResponse = of(HttpStatus.BAD_REQUEST);
export const ApiUnauthorizedResponse = of(HttpStatus.UNAUTHORIZED);
export const ApiForbiddenResponse = of(HttpStatus.FORBIDDEN);
export const ApiNotFoundResponse = of(HttpStatus.NOT_FOUND);
export const ApiMethodNotAllowedResponse = of(HttpStatus.METHOD_NOT_ALLOWED);
export const ApiNotAcceptableResponse = of(HttpStatus.NOT_ACCEPTABLE);
export const ApiRequestTimeoutResponse = of(HttpStatus.REQUEST_TIMEOUT);
export const ApiConflictResponse = of(HttpStatus.CONFLICT);
export const ApiGoneResponse = of(HttpStatus.GONE);
export const ApiPreconditionFailedResponse = of(HttpStatus.PRECONDITION_FAILED);
export const ApiPayloadTooLargeResponse = of(HttpStatus.PAYLOAD_TOO_LARGE);
export const ApiUnsupportedMediaTypeResponse = of(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
export const ApiUnprocessableEntityResponse = of(HttpStatus.UNPROCESSABLE_ENTITY);
export const ApiTooManyRequestsResponse = of(HttpStatus.TOO_MANY_REQUESTS);
export const ApiInternalServerErrorResponse = of(HttpStatus.INTERNAL_SERVER_ERROR);
export const ApiNotImplementedResponse = of(HttpStatus.NOT_IMPLEMENTED);
export const ApiBadGatewayResponse = of(HttpStatus.BAD_GATEWAY);
export const ApiServiceUnavailableResponse = of(HttpStatus.SERVICE_UNAVAILABLE);
export const ApiGatewayTimeoutResponse = of(HttpStatus.GATEWAY_TIMEOUT);
export const ApiContinueResponse = of(HttpStatus.CONTINUE);
export const ApiSwitchingProtocolsResponse = of(HttpStatus.SWITCHING_PROTOCOLS);
export const ApiProcessingResponse = of(HttpStatus.PROCESSING);
export const ApiEarlyhintsResponse = of(HttpStatus.EARLYHINTS);
export const ApiNonAuthoritativeInformationResponse = of(HttpStatus.NON_AUTHORITATIVE_INFORMATION);
export const ApiResetContentResponse = of(HttpStatus.RESET_CONTENT);
export const ApiPartialContentResponse = of(HttpStatus.PARTIAL_CONTENT);
export const ApiAmbiguousResponse = of(HttpStatus.AMBIGUOUS);
export const ApiSeeOtherResponse = of(HttpStatus.SEE_OTHER);
export const ApiTemporaryRedirectResponse = of(HttpStatus.TEMPORARY_REDIRECT);
export const ApiPermanentRedirectResponse = of(HttpStatus.PERMANENT_REDIRECT);
export const ApiPaymentRequiredResponse = of(HttpStatus.PAYMENT_REQUIRED);
export const ApiProxyAuthenticationRequiredResponse = of(HttpStatus.PROXY_AUTHENTICATION_REQUIRED);
export const ApiLengthRequiredResponse = of(HttpStatus.LENGTH_REQUIRED);
export const ApiUriTooLongResponse = of(HttpStatus.URI_TOO_LONG);
export const ApiRequestedRangeNotSatisfiableResponse = of(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
export const ApiExpectationFailedResponse = of(HttpStatus.EXPECTATION_FAILED);
export const ApiIAmATeapotResponse = of(HttpStatus.I_AM_A_TEAPOT);
export const ApiMisdirectedResponse = of(HttpStatus.MISDIRECTED);
export const ApiFailedDependencyResponse = of(HttpStatus.FAILED_DEPENDENCY);
export const ApiPreconditionRequiredResponse = of(HttpStatus.PRECONDITION_REQUIRED);
export const ApiHttpVersionNotSupportedResponse = of(HttpStatus.HTTP_VERSION_NOT_SUPPORTED);
