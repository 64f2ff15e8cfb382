// Three functional middleware in front of a controller, bound as docs.nestjs.com/middleware does. Behind
// Fastify's adapter middleware get Node's own request, which a controller has as `raw`. Nothing outlives a
// request.
import { Controller, Get, type MiddlewareConsumer, Module, type NestModule, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

type RawRequest = FastifyRequest['raw'] & { visited: number };
type Next = () => void;

function first(req: RawRequest, res: FastifyReply['raw'], next: Next) {
  req.visited = 1;
  next();
}

function second(req: RawRequest, res: FastifyReply['raw'], next: Next) {
  req.visited += 1;
  next();
}

function third(req: RawRequest, res: FastifyReply['raw'], next: Next) {
  req.visited += 1;
  next();
}

@Controller()
class CountController {
  @Get()
  count(@Req() { raw }: { raw: RawRequest }) {
    return { visited: raw.visited };
  }
}

@Module({ controllers: [CountController] })
export class CountModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(first, second, third).forRoutes(CountController);
  }
}
