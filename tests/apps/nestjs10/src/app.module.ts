import { Injectable, Module, RequestMethod } from '@nestjs/common';
import type { MiddlewareConsumer, NestMiddleware, NestModule } from '@nestjs/common';
import { APP_INTERCEPTOR, RouterModule } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { AdminController } from './admin.controller';
import { AppController } from './app.controller';
import { StampInterceptor } from './stamp.interceptor';
import { TideGateway } from './tide.gateway';
import { TidesController } from './tides.controller';
import { TidesService } from './tides.service';

@Injectable()
class TraceMiddleware implements NestMiddleware {
  constructor(private readonly tides: TidesService) {}

  use(req: Request, res: Response, next: NextFunction): void {
    res.setHeader('X-Trace', `${req.method} ${req.baseUrl}|${req.path}|${this.tides.count()}`);
    next();
  }
}

@Module({ controllers: [AdminController] })
class AdminModule {}

@Module({
  imports: [AdminModule, RouterModule.register([{ path: 'admin', module: AdminModule }])],
  controllers: [AppController, TidesController],
  providers: [TidesService, TideGateway, { provide: APP_INTERCEPTOR, useClass: StampInterceptor }],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(TraceMiddleware)
      .exclude({ path: 'tides/untraced', method: RequestMethod.GET })
      .forRoutes(TidesController, { path: 'files/*', method: RequestMethod.ALL });
  }
}
