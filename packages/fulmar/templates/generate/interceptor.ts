import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from 'fulmar/controllers';

@Injectable()
export class SampleThingsInterceptor implements NestInterceptor {
  async intercept(_context: ExecutionContext, next: CallHandler): Promise<unknown> {
    return next();
  }
}
