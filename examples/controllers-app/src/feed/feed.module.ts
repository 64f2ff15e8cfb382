/** The feed. Others get `FeedService`, to tell what has happened. */
import { Module } from 'fulmar/controllers';
import { FeedController } from './feed.controller.ts';
import { FeedService } from './feed.service.ts';

@Module({ controllers: [FeedController], providers: [FeedService], exports: [FeedService] })
export class FeedModule {}
