/**
 * `AuthenticationExceptionFilter`: 401, and by which means a client would be let in; `AuthorizationExceptionFilter`: 403.
 * All other errors are left to other filters.
 */
import { checkOptions, type Checks, isToken } from '../../app/checked-options.ts';
import { Catch } from '../decorators/enhancers.ts';
import { Injectable } from '../decorators/modules.ts';
import { BaseExceptionFilter } from '../exceptions/base-filter.ts';
import type { ArgumentsHost } from '../nest-types.ts';
import { hasField, setField } from '../pipeline/around.ts';
import { authenticationException, authorizationException, type TokenFailure, tokenFailure } from './access-errors.ts';
import { answerAs, kindOf } from './kinds.ts';

export interface AuthenticationFilterOptions {
  /** Of `WWW-Authenticate`. Default: Bearer. */
  readonly scheme?: string;
  /** What the client would be let into. */
  readonly realm?: string;
}

const CHECKS: Checks<AuthenticationFilterOptions> = {
  scheme: [isToken, 'a word such as Bearer or Basic'],
  realm: [(value) => typeof value === 'string' && /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(value), 'a text of ASCII without quotes'],
};

/** RFC 6750, 3.1. */
const DESCRIPTIONS: Readonly<Record<TokenFailure, string>> = {
  expired: 'error="invalid_token", error_description="The access token expired"',
  invalid: 'error="invalid_token"',
};

export class AuthenticationExceptionFilter extends BaseExceptionFilter {
  readonly #scheme: string;
  readonly #realm: string | undefined;

  /** @throws TypeError for options that are none */
  constructor(options: AuthenticationFilterOptions = {}) {
    super();
    checkOptions('AuthenticationExceptionFilter', options, CHECKS);
    this.#scheme = options.scheme ?? 'Bearer';
    this.#realm = options.realm;
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    const known = authenticationException(exception);
    if (known !== null && !hasField(host, 'WWW-Authenticate')) setField(host, 'WWW-Authenticate', this.#challenge(exception));
    answerAs(this, known ?? exception, host);
  }

  #challenge(exception: unknown): string {
    const failure = tokenFailure(exception);
    const realm = this.#realm === undefined ? [] : [`realm="${this.#realm}"`];
    const error = failure === null || this.#scheme.toLowerCase() !== 'bearer' ? [] : [DESCRIPTIONS[failure]];
    const parameters = [...realm, ...error];
    return parameters.length === 0 ? this.#scheme : `${this.#scheme} ${parameters.join(', ')}`;
  }
}

export class AuthorizationExceptionFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    answerAs(this, authorizationException(exception) ?? exception, host);
  }
}

Catch(kindOf('AuthenticationFailure', (error) => authenticationException(error) !== null))(AuthenticationExceptionFilter);
Catch(kindOf('AuthorizationFailure', (error) => authorizationException(error) !== null))(AuthorizationExceptionFilter);
for (const filter of [AuthenticationExceptionFilter, AuthorizationExceptionFilter]) Injectable()(filter);
