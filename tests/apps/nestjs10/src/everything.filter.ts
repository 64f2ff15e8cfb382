import { Catch, HttpException, HttpStatus, Logger } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';

/** Answers every error in one form, through the adapter. */
@Catch()
export class EverythingFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.host;
    const context = host.switchToHttp();
    const status = exception instanceof HttpException ? exception.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
    if (status >= 500) Logger.error((exception as Error).message);
    const body = {
      status,
      path: httpAdapter.getRequestUrl(context.getRequest<Request>()) as string,
      method: httpAdapter.getRequestMethod(context.getRequest<Request>()) as string,
      told: exception instanceof HttpException ? exception.getResponse() : 'something broke',
    };
    httpAdapter.reply(context.getResponse(), body, status);
  }
}
