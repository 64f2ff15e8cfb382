import { Controller, Get, Param, ParseIntPipe, Sse } from '@nestjs/common';
import type { MessageEvent } from '@nestjs/common';
import { concat, concatMap, finalize, from, interval, map, Observable, of, take, throwError, timer } from 'rxjs';
import { Public } from '../common/roles.decorator.js';

@Public()
@Controller('streams')
export class StreamsController {
  #opened = 0;
  #closed = 0;

  @Get('counts')
  counts(): { opened: number; closed: number } {
    return { opened: this.#opened, closed: this.#closed };
  }

  @Sse('countdown/:from')
  countdown(@Param('from', ParseIntPipe) start: number): Observable<MessageEvent> {
    return interval(1).pipe(
      take(start + 1),
      map((at) => ({ data: { left: start - at, words: 'sjö ☃' }, id: String(at), ...(at === 0 && { type: 'start', retry: 500 }) })),
    );
  }

  @Sse('text')
  text(): Observable<MessageEvent> {
    return from(['one line', 'two\nlines', '', 'ü'.repeat(20_000)]).pipe(concatMap((data) => timer(1).pipe(map(() => ({ data })))));
  }

  @Sse('promised')
  async promised(): Promise<Observable<MessageEvent>> {
    await Promise.resolve();
    return of({ data: 'promised' });
  }

  @Sse('breaks')
  breaks(): Observable<MessageEvent> {
    return concat(of({ data: 'before' }), timer(2).pipe(concatMap(() => throwError(() => new Error('the tide turned')))));
  }

  @Sse('endless')
  endless(): Observable<MessageEvent> {
    return new Observable<MessageEvent>((subscriber) => {
      this.#opened += 1;
      let at = 0;
      const timer = setInterval(() => subscriber.next({ data: { at: (at += 1) } }), 5);
      return () => clearInterval(timer);
    }).pipe(finalize(() => (this.#closed += 1)));
  }
}
