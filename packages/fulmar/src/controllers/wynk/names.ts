/**
 * Names of WynkJS for what has another one here, and exceptions that Nest has not.
 */
import { Inject, Injectable } from '../decorators/modules.ts';
import { HttpStatus } from '../enums.ts';
import { ConflictException } from '../exceptions/family.ts';
import { HttpException, type HttpExceptionOptions } from '../exceptions/http-exception.ts';
import type { ExceptionFilter, ExecutionContext, NestInterceptor, PipeTransform } from '../nest-types.ts';
import type { ValidationErrorFormatter } from '../pipes/validation-errors.ts';

export type WynkExceptionFilter<T = any> = ExceptionFilter<T>;
export type WynkInterceptor<T = any, R = any> = NestInterceptor<T, R>;
export type WynkPipeTransform<T = any, R = any> = PipeTransform<T, R>;
export type InterceptorContext = ExecutionContext;
export type ErrorFormatter = ValidationErrorFormatter;

/** Every provider is one for all, unless it says otherwise. */
export const Singleton = (): ClassDecorator => Injectable();
export { Inject as inject, Injectable as injectable, Singleton as singleton };

/** 409. */
export class AlreadyExistsException extends ConflictException {}

/** 429. */
export class TooManyRequestsException extends HttpException {
  constructor(message?: string | object, options: string | HttpExceptionOptions = 'Too Many Requests') {
    const { description: given, httpExceptionOptions } = HttpException.extractDescriptionAndOptionsFrom(options);
    const description = (given as string | undefined) ?? 'Too Many Requests';
    const status = HttpStatus.TOO_MANY_REQUESTS;
    const body = HttpException.createBody(message ?? description, message === undefined ? undefined : description, status);
    super(message === undefined ? { message: description, statusCode: status } : body, status, httpExceptionOptions);
  }
}
