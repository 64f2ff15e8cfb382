// A folder of files through @nestjs/serve-static with its defaults.
import { Module } from '@nestjs/common';
import { ServeStaticModule } from '@nestjs/serve-static';

@Module({ imports: [ServeStaticModule.forRoot({ rootPath: process.env.STATIC_DIR })] })
export class FilesModule {}
