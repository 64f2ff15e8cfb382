import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  All,
  Body,
  Controller,
  Get,
  HttpCode,
  MaxFileSizeValidator,
  Next,
  Param,
  ParseFilePipe,
  Post,
  Render,
  Req,
  Res,
  StreamableFile,
  UploadedFile,
  UploadedFiles,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor, FilesInterceptor } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { createReadStream } from 'node:fs';

type Upload = Express.Multer.File;

const describe = ({ originalname, mimetype, size, buffer }: Upload): object => ({
  name: originalname,
  type: mimetype,
  size,
  sha256: createHash('sha256').update(buffer).digest('hex'),
});

@Controller()
export class AppController {
  @Get()
  @Render('tide')
  home(): { words: string } {
    return { words: 'Sjór ☃' };
  }

  @Get('request')
  request(@Req() req: Request): object {
    const { protocol, hostname, ip, ips, path, originalUrl, query, subdomains, secure, xhr, fresh } = req;
    return {
      protocol,
      hostname,
      ip,
      ips,
      path,
      originalUrl,
      query,
      subdomains,
      secure,
      xhr,
      fresh,
      accepts: req.accepts(['json', 'html']),
    };
  }

  @Get('response/:how')
  response(@Param('how') how: string, @Res() res: Response, @Next() next: NextFunction): void {
    const ways: Readonly<Record<string, () => unknown>> = {
      json: () => res.status(201).json({ a: 'ü', b: [undefined, null] }),
      jsonp: () => res.jsonp({ a: 1 }),
      text: () => res.type('txt').send('text ☃'),
      buffer: () => res.send(Buffer.from([1, 2, 3])),
      status: () => res.sendStatus(418),
      redirect: () => res.redirect('/response/text?x=ü'),
      back: () => res.redirect('back'),
      cookie: () => res.cookie('a', { b: 1 }, { maxAge: 1000, path: '/' }).clearCookie('c').end(),
      format: () => res.format({ text: () => res.send('plain'), html: () => res.send('<p>'), json: () => res.send({ json: true }) }),
      links: () => res.links({ next: '/2' }).vary('Accept').location('/elsewhere').attachment('möwe.txt').send('x'),
      file: () => res.sendFile(join(__dirname, '..', 'views', 'tide.html')),
      download: () => res.download(join(__dirname, '..', 'views', 'tide.html'), 'tide ☃.html'),
      missing: () => res.sendFile('/no/such/file', (error) => next(error)),
      next: () => next(),
      error: () => next(new Error('handed on')),
    };
    (ways[how] ?? ways['status'])?.();
  }

  @Get('stream')
  stream(): StreamableFile {
    return new StreamableFile(createReadStream(join(__dirname, '..', 'views', 'tide.html')), { type: 'text/html' });
  }

  @All('files/*')
  files(@Param() parameters: Record<string, string>, @Req() req: Request): object {
    return { parameters, method: req.method };
  }

  @Post('echo')
  @HttpCode(200)
  echo(@Body() body: unknown): unknown {
    return { body: Buffer.isBuffer(body) ? body.toString('hex') : body };
  }

  @Post('upload')
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 50_000 } }))
  upload(
    @UploadedFile(new ParseFilePipe({ validators: [new MaxFileSizeValidator({ maxSize: 20_000 })] })) file: Upload,
    @Body() body: object,
  ): object {
    return { ...describe(file), body };
  }

  @Post('uploads')
  @UseInterceptors(FilesInterceptor('files', 2))
  uploads(@UploadedFiles() files: Upload[]): object[] {
    return files.map(describe);
  }
}
