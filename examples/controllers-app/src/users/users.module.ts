/** Accounts. Others get `UsersService`. */
import { Module } from 'fulmar/controllers';
import { repository } from '../database/database.module.ts';
import { FeedModule } from '../feed/feed.module.ts';
import { MemoryUsers } from './memory-users.ts';
import { PostgresUsers } from './postgres-users.ts';
import { UsersController } from './users.controller.ts';
import { UsersRepository } from './users.repository.ts';
import { UsersService } from './users.service.ts';

@Module({
  imports: [FeedModule],
  controllers: [UsersController],
  providers: [UsersService, repository(UsersRepository, { postgres: PostgresUsers, memory: MemoryUsers })],
  exports: [UsersService],
})
export class UsersModule {}
