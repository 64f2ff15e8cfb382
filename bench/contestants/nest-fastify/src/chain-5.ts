// The chain of five in Nest's own terms: a filter for all errors, an interceptor as logger, a guard for
// authentication, `enableCors`, the controller. The interceptor measures every exchange and never writes.
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpException,
  type INestApplication,
  Module,
  type NestInterceptor,
  Req,
  UnauthorizedException,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { tap } from 'rxjs';

interface Exchange {
  headers: { authorization?: string };
  user?: string;
  durationMs?: number;
}

const users = new Map([['secret', 'ada']]);
const internalServerError = 500;

@Catch()
class AllExceptionsFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost) {
    const isHttp = exception instanceof HttpException;
    const body = { error: isHttp ? exception.message : 'Internal Server Error' };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), body, isHttp ? exception.getStatus() : internalServerError);
  }
}

class LoggingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Exchange>();
    const start = process.hrtime.bigint();
    return next.handle().pipe(
      tap(() => {
        request.durationMs = Number(process.hrtime.bigint() - start) / 1e6;
      }),
    );
  }
}

class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Exchange>();
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const user = scheme === 'Bearer' ? users.get(token) : undefined;
    if (user === undefined) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}

@Controller()
class GreetingController {
  @Get()
  greet(@Req() { user }: any) {
    return { user, message: 'Hello, World!' };
  }
}

@Module({ controllers: [GreetingController] })
class GreetingModule {}

export const module = GreetingModule;

export function configure(app: INestApplication) {
  app.useGlobalFilters(new AllExceptionsFilter(app.get(HttpAdapterHost)));
  app.useGlobalInterceptors(new LoggingInterceptor());
  app.useGlobalGuards(new AuthGuard());
  app.enableCors();
}
