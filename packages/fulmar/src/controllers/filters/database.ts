/**
 * `DatabaseExceptionFilter`: what a database refuses as 409, 400 or 404. All else is left to other filters.
 */
import { Catch } from '../decorators/enhancers.ts';
import { Injectable } from '../decorators/modules.ts';
import { BaseExceptionFilter } from '../exceptions/base-filter.ts';
import { BadRequestException, ConflictException, NotFoundException } from '../exceptions/family.ts';
import type { HttpException } from '../exceptions/http-exception.ts';
import type { ArgumentsHost } from '../nest-types.ts';
import { type DatabaseFailure, databaseFailure } from './database-errors.ts';
import { answerAs, kindOf } from './kinds.ts';

const EXCEPTIONS: Readonly<Record<DatabaseFailure, (cause: unknown) => HttpException>> = {
  unique: (cause) => new ConflictException('It exists already', { cause }),
  foreignKey: (cause) => new ConflictException('It refers to something that does not exist, or something refers to it', { cause }),
  notNull: (cause) => new BadRequestException('Something that is required is missing', { cause }),
  check: (cause) => new BadRequestException('A value is not one of those that are allowed', { cause }),
  missing: (cause) => new NotFoundException('It does not exist', { cause }),
};

/** Null: of something else. */
export function databaseException(error: unknown): HttpException | null {
  const failure = databaseFailure(error);
  return failure === null ? null : EXCEPTIONS[failure](error);
}

export class DatabaseExceptionFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    answerAs(this, databaseException(exception) ?? exception, host);
  }
}

Catch(kindOf('DatabaseRefusal', (error) => databaseFailure(error) !== null))(DatabaseExceptionFilter);
Injectable()(DatabaseExceptionFilter);
