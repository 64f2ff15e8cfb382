/** Files: their records, their contents on the disk, and how they are received. */
import { Module, MulterModule } from 'fulmar/controllers';
import { repository } from '../database/database.module.ts';
import { FeedModule } from '../feed/feed.module.ts';
import { Settings } from '../settings/settings.ts';
import { UsersModule } from '../users/users.module.ts';
import { Disk } from './disk.ts';
import { FilesController } from './files.controller.ts';
import { FilesRepository } from './files.repository.ts';
import { FilesService } from './files.service.ts';
import { MemoryFiles } from './memory-files.ts';
import { PostgresFiles } from './postgres-files.ts';
import { toUploadOptions } from './upload.ts';

@Module({ providers: [Disk], exports: [Disk] })
class DiskModule {}

@Module({
  imports: [
    DiskModule,
    FeedModule,
    UsersModule,
    MulterModule.registerAsync({ imports: [DiskModule], inject: [Settings, Disk], useFactory: toUploadOptions }),
  ],
  controllers: [FilesController],
  providers: [FilesService, repository(FilesRepository, { postgres: PostgresFiles, memory: MemoryFiles })],
})
export class FilesModule {}
