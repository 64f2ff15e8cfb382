import { join } from 'node:path';
import { Controller, Get, Inject, Module, Param } from '@nestjs/common';
import { ConfigModule, ConfigService, type ConfigType } from '@nestjs/config';
import Joi from 'joi';
import { database } from './database.config';
import { MailModule, MailService } from './mail.module';

@Controller('config')
export class ConfigController {
  constructor(
    private readonly config: ConfigService<{ APP_URL: string; DATABASE_PORT: number; PAGE_SIZE: number }, true>,
    @Inject(database.KEY) private readonly db: ConfigType<typeof database>,
    private readonly mail: MailService,
  ) {}

  @Get()
  all(): object {
    return {
      url: this.config.get('APP_URL', { infer: true }),
      port: this.config.get('DATABASE_PORT', { infer: true }),
      page: this.config.get('PAGE_SIZE', { infer: true }),
      database: this.db,
      nested: this.config.get('database.host' as never),
      mail: this.mail.sender,
    };
  }

  @Get('missing/:name')
  missing(@Param('name') name: string): object {
    return { found: this.config.get(name as never, 'a default' as never) };
  }

  @Get('must/:name')
  must(@Param('name') name: string): unknown {
    return this.config.getOrThrow(name as never);
  }
}

@Module({
  imports: [
    ConfigModule.forRoot({
      envFilePath: join(__dirname, '.env'),
      expandVariables: true,
      isGlobal: true,
      cache: true,
      load: [database],
      validationSchema: Joi.object({
        APP_NAME: Joi.string().required(),
        DATABASE_PORT: Joi.number().port().default(5432),
        PAGE_SIZE: Joi.number().default(25),
      }),
    }),
    MailModule,
  ],
  controllers: [ConfigController],
})
export class ConfigApplication {}
