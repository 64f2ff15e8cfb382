import { Body, Controller, Get, Inject, Injectable, Module, Post, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Cron, CronExpression, Interval, ScheduleModule, SchedulerRegistry, Timeout } from '@nestjs/schedule';

@Injectable()
export class Journal {
  readonly lines: string[] = [];
  readonly #waiting: (() => void)[] = [];

  note(line: string): void {
    this.lines.push(line);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Until a line is there that begins so. */
  async has(start: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.startsWith(start));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

@Injectable()
export class Jobs {
  constructor(private readonly journal: Journal) {}

  @Timeout('once', 10)
  once(): void {
    this.journal.note('timeout');
  }

  @Interval('often', 20)
  often(): void {
    this.journal.note('interval');
  }

  @Cron(CronExpression.EVERY_SECOND, { name: 'each second' })
  eachSecond(): void {
    this.journal.note('cron');
  }
}

@Injectable()
export class OrderListener {
  constructor(private readonly journal: Journal) {}

  @OnEvent('order.created')
  onCreated({ id }: { id: number }): void {
    this.journal.note(`created ${id}`);
  }

  @OnEvent('order.*', { async: true })
  async onAny(): Promise<void> {
    await Promise.resolve();
    this.journal.note('any order event');
  }

  @OnEvent('order.created')
  onBroken(): void {
    throw new Error('a listener that fails takes nobody with it');
  }
}

@Injectable({ scope: Scope.REQUEST })
export class ScopedListener {
  constructor(
    @Inject(REQUEST) private readonly payload: { payload: { id: number } },
    private readonly journal: Journal,
  ) {}

  @OnEvent('order.created')
  onCreated(): void {
    this.journal.note(`scoped ${JSON.stringify(this.payload)}`);
  }
}

@Controller('orders')
export class OrdersController {
  constructor(
    private readonly events: EventEmitter2,
    private readonly journal: Journal,
    private readonly registry: SchedulerRegistry,
  ) {}

  @Post()
  async add(@Body('id') id: number): Promise<object> {
    const heard = this.events.emit('order.created', { id });
    const scoped = await this.journal.has('scoped');
    const any = await this.journal.has('any');
    return { heard, created: await this.journal.has('created'), scoped, any };
  }

  @Get('jobs')
  async jobs(): Promise<object> {
    const ran = [await this.journal.has('timeout'), await this.journal.has('interval'), await this.journal.has('cron')];
    return {
      ran,
      intervals: this.registry.getIntervals(),
      timeouts: this.registry.getTimeouts(),
      crons: [...this.registry.getCronJobs().keys()],
    };
  }

  @Post('stop')
  stop(): object {
    this.registry.deleteInterval('often');
    void this.registry.getCronJob('each second').stop();
    return { intervals: this.registry.getIntervals(), has: this.registry.doesExist('interval', 'often') };
  }
}

@Module({
  imports: [ScheduleModule.forRoot(), EventEmitterModule.forRoot({ wildcard: true })],
  controllers: [OrdersController],
  providers: [Journal, Jobs, OrderListener, ScopedListener],
})
export class JobsApplication {}
