import { Injectable, RequestTimeoutException, StreamableFile } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, map, tap, throwError, timeout, TimeoutError } from 'rxjs';
import type { Observable } from 'rxjs';

const HANDLER_MS_MAX = 20_000;

/** Puts objects into an envelope, names the handler in a field, and ends handlers that take too long. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    const request = context.switchToHttp().getRequest<Request>();
    response.set('X-Handler', `${context.getClass().name}.${context.getHandler().name}`);
    if (request.get('accept') === 'text/event-stream') return next.handle();
    const limit = Number(request.get('x-handler-ms') ?? HANDLER_MS_MAX);
    return next.handle().pipe(
      timeout(limit),
      map((data: unknown) => (isPlain(data) ? { data } : data)),
      tap(() => {
        if (!response.headersSent) response.set('X-Intercepted', 'after');
      }),
      catchError((error: unknown) => throwError(() => (error instanceof TimeoutError ? new RequestTimeoutException() : error))),
    );
  }
}

function isPlain(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !(data instanceof StreamableFile);
}
