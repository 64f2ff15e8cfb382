import { Controller, Get, type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { CatsController } from './cats.controller';
import { CatsService } from './cats.service';
import { EnvelopeInterceptor } from './envelope.interceptor';
import { RolesGuard } from './roles.guard';
import { UserMiddleware } from './user.middleware';

@Controller('health')
export class HealthController {
  @Get()
  tell(): string {
    return 'well';
  }
}

@Module({ controllers: [CatsController], providers: [CatsService], exports: [CatsService] })
export class CatsModule {}

@Module({
  imports: [CatsModule],
  controllers: [HealthController],
  providers: [
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  ],
})
export class CatsApplication implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(UserMiddleware).exclude({ path: 'cats/none', method: RequestMethod.GET }).forRoutes(CatsController);
  }
}
