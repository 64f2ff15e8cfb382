import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Query,
  SerializeOptions,
  Sse,
  UseInterceptors,
  Version,
} from '@nestjs/common';
import type { MessageEvent } from '@nestjs/common';
import { interval, map, take } from 'rxjs';
import type { Observable } from 'rxjs';
import { TideDto, TidesService } from './tides.service';
import type { Tide } from './tides.service';

@Controller('tides')
@UseInterceptors(ClassSerializerInterceptor)
export class TidesController {
  constructor(private readonly tides: TidesService) {}

  @Version('2')
  @Get()
  @SerializeOptions({ groups: ['harbour'] })
  second(): Tide[] {
    return this.tides.all();
  }

  @Get()
  all(): Tide[] {
    return this.tides.all();
  }

  @Get('untraced')
  untraced(@Query() query: Record<string, unknown>): Record<string, unknown> {
    return query;
  }

  @Sse('stream')
  stream(): Observable<MessageEvent> {
    return interval(1).pipe(
      take(20),
      map((at) => ({ id: String(at), type: 'tide', data: { at, words: 'flóð ☃' } })),
    );
  }

  @Get('ab+cd')
  plus(): string {
    return 'one b or more';
  }

  @Get(':id(\\d+)')
  one(@Param('id', ParseIntPipe) id: number): Tide {
    return this.tides.one(id);
  }

  @Get(':from-:to')
  range(@Param() range: { from: string; to: string }): { from: string; to: string } {
    return range;
  }

  @Post()
  add(@Body() tide: TideDto): Tide {
    return this.tides.add(tide);
  }
}
