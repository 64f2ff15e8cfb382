import { createHash } from 'node:crypto';
import {
  Body,
  Controller,
  FileTypeValidator,
  Get,
  Header,
  HttpCode,
  MaxFileSizeValidator,
  NotFoundException,
  Param,
  ParseFilePipe,
  ParseFilePipeBuilder,
  Post,
  Query,
  Res,
  StreamableFile,
  UnsupportedMediaTypeException,
  UploadedFile,
  UploadedFiles,
  UseInterceptors,
} from '@nestjs/common';
import {
  AnyFilesInterceptor,
  FileFieldsInterceptor,
  FileInterceptor,
  FilesInterceptor,
  NoFilesInterceptor,
} from '@nestjs/platform-express';
import { IsInt, IsString } from 'class-validator';
import type { Response } from 'express';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Public } from '../common/roles.decorator.js';

type Upload = Express.Multer.File;

class CaptionDto {
  @IsString()
  caption!: string;

  @IsInt()
  year!: number;
}

const describe = (file: Upload | undefined): unknown =>
  file && {
    field: file.fieldname,
    name: file.originalname,
    type: file.mimetype,
    size: file.size,
    sha256: createHash('sha256').update(file.buffer).digest('hex'),
  };

@Public()
@Controller('files')
export class FilesController {
  @Post('one')
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 100_000, fields: 3 } }))
  one(@UploadedFile() file: Upload | undefined, @Body() body: unknown): unknown {
    return { file: describe(file), body };
  }

  @Post('checked')
  @UseInterceptors(FileInterceptor('file'))
  checked(
    @UploadedFile(
      new ParseFilePipe({
        validators: [
          new MaxFileSizeValidator({ maxSize: 5_000 }),
          new FileTypeValidator({ fileType: 'image/png', skipMagicNumbersValidation: true }),
        ],
      }),
    )
    file: Upload,
    @Body() body: CaptionDto,
  ): unknown {
    return { file: describe(file), caption: body.caption, year: body.year, isDto: body instanceof CaptionDto };
  }

  @Post('optional')
  @HttpCode(200)
  @UseInterceptors(FileInterceptor('file'))
  optional(
    @UploadedFile(
      new ParseFilePipeBuilder().addMaxSizeValidator({ maxSize: 10 }).build({ fileIsRequired: false, errorHttpStatusCode: 413 }),
    )
    file: Upload | undefined,
  ): unknown {
    return { file: describe(file) ?? null };
  }

  @Post('many')
  @UseInterceptors(
    FilesInterceptor('files', 3, {
      fileFilter: (_req, file, done) =>
        file.originalname.endsWith('.exe') ? done(new UnsupportedMediaTypeException('no programs'), false) : done(null, true),
    }),
  )
  many(@UploadedFiles() files: Upload[]): unknown {
    return files.map(describe);
  }

  @Post('fields')
  @UseInterceptors(
    FileFieldsInterceptor([
      { name: 'photo', maxCount: 1 },
      { name: 'sounds', maxCount: 2 },
    ]),
  )
  fields(@UploadedFiles() files: { photo?: Upload[]; sounds?: Upload[] }): unknown {
    return { photo: files.photo?.map(describe), sounds: files.sounds?.map(describe) };
  }

  @Post('any')
  @UseInterceptors(AnyFilesInterceptor())
  any(@UploadedFiles() files: Upload[], @Body() body: unknown): unknown {
    return { files: files.map(describe), body };
  }

  @Post('none')
  @UseInterceptors(NoFilesInterceptor())
  none(@Body() body: unknown): unknown {
    return body;
  }

  @Get('stream')
  stream(@Query('pieces') pieces = '5'): StreamableFile {
    const count = Number(pieces);
    const source = Readable.from(
      (function* () {
        for (let at = 0; at < count; at += 1) yield Buffer.alloc(10_000, at);
      })(),
    );
    return new StreamableFile(source, { type: 'application/x-birds', disposition: 'attachment; filename="birds.bin"' });
  }

  @Get('buffer')
  @Header('X-Kind', 'buffer')
  buffer(): StreamableFile {
    return new StreamableFile(Buffer.from('möwe ☃'), { type: 'text/plain; charset=utf-8', length: Buffer.byteLength('möwe ☃') });
  }

  @Get('breaking')
  breaking(): StreamableFile {
    return new StreamableFile(
      new Readable({
        read() {
          this.destroy(new NotFoundException('gone before it began'));
        },
      }),
    );
  }

  @Get('missing')
  missing(): StreamableFile {
    return new StreamableFile(createReadStream('/no/such/file'));
  }

  @Get('named/:name')
  named(@Param('name') name: string, @Res() res: Response): void {
    res.sendFile(name, { root: new URL('../../public/', import.meta.url).pathname, headers: { 'X-Sent': 'file' } });
  }

  @Get('download/:name')
  download(@Param('name') name: string, @Res() res: Response): void {
    res.download(new URL(`../../public/${name}`, import.meta.url).pathname, 'möwe ☃.txt');
  }
}
