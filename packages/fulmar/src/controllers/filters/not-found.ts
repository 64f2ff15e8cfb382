/**
 * `NotFoundExceptionFilter`: 404 with the path that was asked for. A body that an application has made itself stays as it
 * is.
 */
import { Catch } from '../decorators/enhancers.ts';
import { Injectable } from '../decorators/modules.ts';
import { BaseExceptionFilter } from '../exceptions/base-filter.ts';
import { NotFoundException } from '../exceptions/family.ts';
import { HttpException } from '../exceptions/http-exception.ts';
import type { ArgumentsHost, ExecutionContext } from '../nest-types.ts';
import { asked } from '../pipeline/around.ts';
import { answerAs } from './kinds.ts';

export class NotFoundExceptionFilter extends BaseExceptionFilter<NotFoundException> {
  override catch(exception: NotFoundException, host: ArgumentsHost): void {
    const body = exception.getResponse();
    const isNests = typeof body === 'object' && 'message' in body && 'statusCode' in body;
    if (!isNests) return answerAs(this, exception, host);
    const [path = ''] = asked(host as ExecutionContext).url.split('?', 1);
    answerAs(
      this,
      new HttpException({ ...body, path, timestamp: new Date().toISOString() }, exception.getStatus(), { cause: exception }),
      host,
    );
  }
}

Catch(NotFoundException)(NotFoundExceptionFilter);
Injectable()(NotFoundExceptionFilter);
