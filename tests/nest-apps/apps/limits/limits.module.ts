import { CACHE_MANAGER, CacheInterceptor, CacheKey, CacheModule, CacheTTL, type Cache } from '@nestjs/cache-manager';
import { Controller, Delete, Get, Inject, Module, Param, Req, UseInterceptors } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { HttpModule, HttpService } from '@nestjs/axios';
import { HealthCheck, HealthCheckService, HealthIndicatorService, HttpHealthIndicator, TerminusModule } from '@nestjs/terminus';
import { SkipThrottle, Throttle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import type { Request } from 'express';
import { firstValueFrom, map } from 'rxjs';

@Controller('limited')
export class LimitedController {
  @Get()
  three(): string {
    return 'three a minute';
  }

  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  @Get('one')
  one(): string {
    return 'one a minute';
  }

  @SkipThrottle()
  @Get('free')
  free(): string {
    return 'as often as you like';
  }
}

let calls = 0;

@SkipThrottle()
@Controller('cached')
export class CachedController {
  constructor(@Inject(CACHE_MANAGER) private readonly cache: Cache) {}

  @UseInterceptors(CacheInterceptor)
  @CacheTTL(60_000)
  @Get('page/:id')
  page(@Param('id') id: string): object {
    calls += 1;
    return { id, calls };
  }

  @UseInterceptors(CacheInterceptor)
  @CacheKey('own key')
  @Get('keyed')
  keyed(): object {
    calls += 1;
    return { calls };
  }

  @Get('key')
  async key(): Promise<object> {
    return { kept: (await this.cache.get('own key')) ?? null };
  }

  @Delete()
  async clear(): Promise<object> {
    return { cleared: await this.cache.clear() };
  }
}

@SkipThrottle()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly own: HealthIndicatorService,
    private readonly http: HttpHealthIndicator,
    private readonly client: HttpService,
  ) {}

  @Get()
  @HealthCheck()
  check(): Promise<object> {
    return this.health.check([() => this.own.check('memory').up({ free: 'enough' })]);
  }

  @Get('down')
  @HealthCheck()
  down(): Promise<object> {
    return this.health.check([() => this.own.check('disk').down('full')]);
  }

  @Get('itself')
  @HealthCheck()
  itself(@Req() request: Request): Promise<object> {
    return this.health.check([() => this.http.pingCheck('itself', `http://localhost:${request.socket.localPort}/limited/free`)]);
  }

  @Get('client')
  client_(@Req() request: Request): Promise<object> {
    const url = `http://localhost:${request.socket.localPort}/limited/free`;
    return firstValueFrom(this.client.get<string>(url).pipe(map(({ status, data }) => ({ status, data }))));
  }
}

@Module({
  imports: [
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 3 }]),
    CacheModule.register({ ttl: 60_000 }),
    TerminusModule.forRoot({ gracefulShutdownTimeoutMs: 10 }),
    HttpModule.register({ timeout: 5_000 }),
  ],
  controllers: [LimitedController, CachedController, HealthController],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})
export class LimitsApplication {}
