/**
 * `DatabaseExceptionFilter`: what a database refuses as 409, 400 or 404. All else goes the way of any error, so that the
 * filter may stand before a whole application.
 */
import { Catch } from '../decorators/enhancers.ts';
import { BaseExceptionFilter } from '../exceptions/base-filter.ts';
import { BadRequestException, ConflictException, NotFoundException } from '../exceptions/family.ts';
import type { HttpException } from '../exceptions/http-exception.ts';
import type { ArgumentsHost } from '../nest-types.ts';
import { type DatabaseFailure, databaseFailure } from './database-errors.ts';

const EXCEPTIONS: Readonly<Record<DatabaseFailure, (cause: unknown) => HttpException>> = {
  unique: (cause) => new ConflictException('It exists already', { cause }),
  foreignKey: (cause) => new ConflictException('It refers to something that does not exist, or something refers to it', { cause }),
  notNull: (cause) => new BadRequestException('Something that is required is missing', { cause }),
  check: (cause) => new BadRequestException('A value is not one of those that are allowed', { cause }),
  missing: (cause) => new NotFoundException('It does not exist', { cause }),
};

export class DatabaseExceptionFilter extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const failure = databaseFailure(exception);
    BaseExceptionFilter.prototype.catch.call(this, failure === null ? exception : EXCEPTIONS[failure](exception), host);
  }
}

Catch()(DatabaseExceptionFilter);
