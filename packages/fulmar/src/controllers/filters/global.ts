/**
 * `GlobalExceptionFilter`: whatever no other filter catches. What databases, tokens, permissions and uploads are refused for
 * is answered as by their own filters, so that it may stand alone. Of a failure of the server nobody is told more than its
 * status, also where the application has written a text for it; the log has it all.
 */
import { checkOptions, type Checks, isBoolean } from '../../app/checked-options.ts';
import { logFailure } from '../../host/dev.ts';
import { STATUS_CODES } from '../../http/index.ts';
import { Catch } from '../decorators/enhancers.ts';
import { Injectable } from '../decorators/modules.ts';
import { BaseExceptionFilter, toErrorReply } from '../exceptions/base-filter.ts';
import { HttpException } from '../exceptions/http-exception.ts';
import type { ArgumentsHost } from '../nest-types.ts';
import { Host } from '../pipeline/host.ts';
import { uploadException } from '../uploads/upload-errors.ts';
import { AuthenticationExceptionFilter } from './access.ts';
import { authenticationException, authorizationException } from './access-errors.ts';
import { databaseException } from './database.ts';
import { answerAs } from './kinds.ts';

export interface GlobalFilterOptions {
  /** True: failures are told with their message and their stack; for a developer's own machine. Default: false. */
  readonly development?: boolean;
}

const CHECKS: Checks<GlobalFilterOptions> = { development: isBoolean };
/** Of a message and of lines of a stack that a developer is shown. */
const CHARACTERS_MAX = 10_000;

export class GlobalExceptionFilter extends BaseExceptionFilter {
  readonly #isDevelopment: boolean;
  readonly #authentication = new AuthenticationExceptionFilter();

  /** @throws TypeError for options that are none */
  constructor(options: GlobalFilterOptions = {}) {
    super();
    checkOptions('GlobalExceptionFilter', options, CHECKS);
    this.#isDevelopment = options.development === true;
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    if (authenticationException(exception) !== null)
      return AuthenticationExceptionFilter.prototype.catch.call(this.#authentication, exception, host);
    const known = databaseException(exception) ?? authorizationException(exception) ?? uploadException(exception);
    const { status } = toErrorReply(known);
    if (status < 500) return answerAs(this, known, host);
    // An exception is not logged by itself, and its text is told to nobody here.
    if (host instanceof Host) logFailure(host.environment.logger, host.c.exchange, host.title, { error: exception, params: host.c.params });
    answerAs(this, new HttpException(this.#bodyOf(exception, status), status), host);
  }

  #bodyOf(exception: unknown, statusCode: number): object {
    const message = statusCode === 500 ? 'Internal server error' : (STATUS_CODES[statusCode] ?? 'Server error');
    if (!this.#isDevelopment) return { statusCode, message };
    if (!(exception instanceof Error)) return { statusCode, message: String(exception).slice(0, CHARACTERS_MAX) };
    const stack = (exception.stack ?? '').slice(0, CHARACTERS_MAX).split('\n');
    return { statusCode, message: exception.message.slice(0, CHARACTERS_MAX), error: exception.name, stack };
  }
}

Catch()(GlobalExceptionFilter);
Injectable()(GlobalExceptionFilter);
