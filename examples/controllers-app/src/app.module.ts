/** All modules, and the pipe and the filter that every route has. Guards stand in `auth`, whose matter they are. */
import { APP_FILTER, APP_PIPE, DatabaseExceptionFilter, type DynamicModule, HttpStatus, Module, ValidationPipe } from 'fulmar/controllers';
import { AuthModule } from './auth/auth.module.ts';
import { DatabaseModule } from './database/database.module.ts';
import { FeedModule } from './feed/feed.module.ts';
import { FilesModule } from './files/files.module.ts';
import { HealthModule } from './health/health.module.ts';
import { SettingsModule } from './settings/settings.module.ts';
import type { Settings } from './settings/settings.ts';
import { UsersModule } from './users/users.module.ts';

/** What a body or a query says is checked by the class that the parameter is typed with; a member it does not know is an error. */
const validation = new ValidationPipe({
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY,
  errorFormat: 'grouped',
});

@Module({
  imports: [UsersModule, AuthModule, FilesModule, FeedModule, HealthModule],
  providers: [
    { provide: APP_PIPE, useValue: validation },
    { provide: APP_FILTER, useClass: DatabaseExceptionFilter },
  ],
})
export class AppModule {
  static with(settings: Settings): DynamicModule {
    return { module: AppModule, imports: [SettingsModule.of(settings), DatabaseModule.of(settings)] };
  }
}
