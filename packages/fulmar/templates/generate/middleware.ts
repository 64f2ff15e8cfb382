import { Injectable, type NestMiddleware } from 'fulmar/controllers';

/** Say which routes it is for: `configure(consumer) { consumer.apply(SampleThingsMiddleware).forRoutes('*'); }` of a module. */
@Injectable()
export class SampleThingsMiddleware implements NestMiddleware {
  use(_req: unknown, _res: unknown, next: () => void): void {
    next();
  }
}
