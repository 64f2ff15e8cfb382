import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap } from 'rxjs';
import type { Observable } from 'rxjs';

/** Sets a field before the handler and another one after it. */
@Injectable()
export class StampInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<Request>();
    if (request.get('accept') === 'text/event-stream') return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    response.set('X-Before', context.getHandler().name);
    return next.handle().pipe(
      tap(() => {
        if (!response.headersSent) response.set('X-After', context.getClass().name);
      }),
    );
  }
}
