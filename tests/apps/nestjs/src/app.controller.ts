import { createHmac } from 'node:crypto';
import {
  All,
  BadRequestException,
  Body,
  Controller,
  Get,
  Head,
  Header,
  Headers,
  HttpCode,
  Ip,
  Options,
  Param,
  Post,
  Redirect,
  Req,
  Res,
  Search,
  Version,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { RawBodyRequest } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from './common/roles.decorator.js';

@Public()
@Controller({ version: VERSION_NEUTRAL })
export class AppController {
  @Get()
  home(@Ip() ip: string): string {
    return `The cliff, seen from ${ip}: ☃ 海鷗`;
  }

  @Get('health')
  @Header('Cache-Control', 'no-store')
  health(): { status: string } {
    return { status: 'up' };
  }

  @Get('old')
  @Redirect('/health', 301)
  old(): void {}

  @Get('away')
  @Redirect()
  away(): { url: string; statusCode: number } {
    return { url: 'https://example.com/möwe?q=1 2', statusCode: 307 };
  }

  @Get('cookies')
  cookies(@Res({ passthrough: true }) res: Response, @Headers('cookie') cookie: string | undefined): { had: string | null } {
    res.cookie('trip', 'süd ☃', { httpOnly: true, sameSite: 'lax', path: '/' });
    res.cookie('second', { a: 1 }, { secure: true });
    res.append('X-Trip', ['one', 'two']);
    return { had: cookie ?? null };
  }

  @Get('own')
  own(@Req() req: Request, @Res() res: Response): void {
    res.status(203).type('text/plain').set('X-Original', req.originalUrl).send(`${req.method} ${req.protocol} ${req.hostname} ${req.path}`);
  }

  @Get('nothing')
  nothing(): void {}

  @Get('values/:kind')
  value(@Param('kind') kind: string): unknown {
    const values: Record<string, unknown> = {
      null: null,
      number: 42,
      zero: 0,
      true: true,
      text: 'text',
      empty: '',
      list: [1, 'zwei', null],
    };
    if (!(kind in values)) throw new BadRequestException({ reason: 'no such value', kind, known: Object.keys(values) });
    return values[kind];
  }

  @Get('big')
  big(): { lines: string[] } {
    return { lines: Array.from({ length: 20_000 }, (_, line) => `line ${line}: fulmarus glacialis ☃`) };
  }

  @Head('head-only')
  headOnly(@Res({ passthrough: true }) res: Response): void {
    res.set('X-Head', 'yes');
  }

  @Options('options')
  options(): string {
    return 'my own options';
  }

  @All('all/*rest')
  all(@Req() req: Request, @Param('rest') rest: string | string[]): { method: string; rest: string | string[] } {
    return { method: req.method, rest };
  }

  @Search('search')
  search(): string {
    return 'searched';
  }

  @Version('2')
  @Get('versioned')
  second(): string {
    return 'the second version';
  }

  @Version(['1', '3'])
  @Get('versioned')
  first(): string {
    return 'the first or third version';
  }

  @Post('echo')
  @HttpCode(200)
  echo(@Body() body: unknown, @Headers('content-type') type: string | undefined): { type: string | null; body: unknown } {
    return { type: type ?? null, body };
  }

  @Post('webhook')
  @HttpCode(202)
  webhook(@Req() req: RawBodyRequest<Request>, @Headers('x-signature') signature: string): { bytes: number } {
    const raw = req.rawBody ?? Buffer.alloc(0);
    const expected = createHmac('sha256', 'key').update(raw).digest('hex');
    if (signature !== expected) throw new BadRequestException(`expected the signature ${expected}`);
    return { bytes: raw.length };
  }
}
