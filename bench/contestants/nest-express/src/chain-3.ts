// Three functional middleware in front of a controller, bound as docs.nestjs.com/middleware does. Nothing
// outlives a request.
import { Controller, Get, type MiddlewareConsumer, Module, type NestModule, Req } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

type Counted = Request & { visited: number };

function first(req: Request, res: Response, next: NextFunction) {
  (req as Counted).visited = 1;
  next();
}

function second(req: Request, res: Response, next: NextFunction) {
  (req as Counted).visited += 1;
  next();
}

function third(req: Request, res: Response, next: NextFunction) {
  (req as Counted).visited += 1;
  next();
}

@Controller()
class CountController {
  @Get()
  count(@Req() req: unknown) {
    return { visited: (req as Counted).visited };
  }
}

@Module({ controllers: [CountController] })
export class CountModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(first, second, third).forRoutes(CountController);
  }
}
