import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';

@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const by = `${context.getClass().name}.${context.getHandler().name}`;
    return next.handle().pipe(map((data: unknown) => (data === undefined ? data : { by, data })));
  }
}
