// Both chains: functions that `@Use` puts in front of a route, and for five of them a filter for all errors,
// a logger, a guard for authentication and the plugin `cors`, as the README shows them. The logger measures
// every exchange and never writes.
import { cors } from '@elysiajs/cors';
import { Controller, Get, Use } from 'wynkjs';

type Next = () => Promise<unknown>;

const users = new Map([['secret', 'ada']]);

async function first(ctx: any, next: Next) {
  ctx.visited = 1;
  return next();
}

async function second(ctx: any, next: Next) {
  ctx.visited += 1;
  return next();
}

async function third(ctx: any, next: Next) {
  ctx.visited += 1;
  return next();
}

async function measure(ctx: any, next: Next) {
  const start = Bun.nanoseconds();
  const reply = await next();
  ctx.durationMs = (Bun.nanoseconds() - start) / 1e6;
  return reply;
}

async function authenticate(ctx: any, next: Next) {
  const [scheme, token = ''] = (ctx.headers.authorization ?? '').split(' ');
  const user = scheme === 'Bearer' ? users.get(token) : undefined;
  if (user === undefined) {
    ctx.set.status = 401;
    return { error: 'Unauthorized' };
  }
  ctx.user = user;
  return next();
}

class AllExceptionsFilter {
  catch() {
    return { statusCode: 500, error: 'Internal Server Error' };
  }
}

@Controller('/')
export class CountController {
  @Get()
  @Use(first, second, third)
  count(ctx: any) {
    return { visited: ctx.visited };
  }
}

@Controller('/')
@Use(measure, authenticate)
export class GreetingController {
  @Get()
  greet(ctx: any) {
    return { user: ctx.user, message: 'Hello, World!' };
  }
}

export const five = { controllers: [GreetingController], plugins: [cors({ origin: '*' })], filters: [new AllExceptionsFilter()] };
