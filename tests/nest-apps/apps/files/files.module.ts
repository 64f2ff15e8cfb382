import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpStatus,
  MaxFileSizeValidator,
  Module,
  ParseFilePipe,
  ParseFilePipeBuilder,
  Post,
  Res,
  StreamableFile,
  UploadedFile,
  UploadedFiles,
  UseInterceptors,
} from '@nestjs/common';
import { FileFieldsInterceptor, FileInterceptor, FilesInterceptor, MulterModule } from '@nestjs/platform-express';
import { ServeStaticModule } from '@nestjs/serve-static';
import type { Response } from 'express';

type File = Express.Multer.File;
const told = ({ fieldname, originalname, mimetype, size }: File): object => ({ fieldname, originalname, mimetype, size });

@Controller('files')
export class FilesController {
  @Post('one')
  @UseInterceptors(FileInterceptor('file'))
  one(@UploadedFile() file: File | undefined, @Body() body: object): object {
    return { file: file === undefined ? null : told(file), text: file?.buffer.toString(), body };
  }

  @Post('many')
  @UseInterceptors(FilesInterceptor('files', 2))
  many(@UploadedFiles() files: File[]): object {
    return files.map(told);
  }

  @Post('fields')
  @UseInterceptors(FileFieldsInterceptor([{ name: 'avatar', maxCount: 1 }, { name: 'background' }]))
  fields(@UploadedFiles() files: Record<string, File[]>): object {
    return Object.fromEntries(Object.entries(files).map(([name, list]) => [name, list.map(told)]));
  }

  @Post('checked')
  @UseInterceptors(FileInterceptor('file'))
  checked(@UploadedFile(new ParseFilePipe({ validators: [new MaxFileSizeValidator({ maxSize: 10 })] })) file: File): object {
    return told(file);
  }

  @Post('built')
  @UseInterceptors(FileInterceptor('file'))
  built(
    @UploadedFile(
      new ParseFilePipeBuilder()
        .addFileTypeValidator({ fileType: 'text/plain', skipMagicNumbersValidation: true })
        .build({ errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY, fileIsRequired: false }),
    )
    file?: File,
  ): object {
    return file === undefined ? { file: null } : told(file);
  }

  @Get('stream')
  stream(): StreamableFile {
    return new StreamableFile(createReadStream(join(__dirname, 'public', 'notes.txt')), {
      type: 'text/plain',
      disposition: 'attachment; filename="notes.txt"',
    });
  }

  @Get('bytes')
  @Header('Content-Type', 'application/octet-stream')
  bytes(): StreamableFile {
    return new StreamableFile(Buffer.from([1, 2, 3]));
  }

  @Get('sent')
  sent(@Res() response: Response): void {
    response.sendFile(join(__dirname, 'public', 'notes.txt'));
  }

  @Get('both')
  both(@Res({ passthrough: true }) response: Response): object {
    response.status(HttpStatus.ACCEPTED).cookie('seen', 'yes', { httpOnly: true });
    return { both: true };
  }
}

@Module({
  imports: [
    MulterModule.registerAsync({ useFactory: () => ({ limits: { fileSize: 64 } }) }),
    ServeStaticModule.forRoot({ rootPath: join(__dirname, 'public'), exclude: ['/files/{*rest}'] }),
    ServeStaticModule.forRootAsync({ useFactory: () => [{ rootPath: join(__dirname, 'public'), serveRoot: '/assets' }] }),
  ],
  controllers: [FilesController],
})
export class FilesApplication {}
