import { ConfigurableModuleBuilder, Inject, Injectable, Module } from '@nestjs/common';
import { ConfigModule, ConfigService, type ConfigType, registerAs } from '@nestjs/config';

const mailConfig = registerAs('mail', async () => Promise.resolve({ host: 'mail.example' }));

interface MailOptions {
  readonly sender: string;
}
const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<MailOptions>()
  .setClassMethodName('forRoot')
  .build();

@Injectable()
export class MailService {
  readonly sender: string;

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) options: MailOptions,
    @Inject(mailConfig.KEY) { host }: ConfigType<typeof mailConfig>,
    config: ConfigService,
  ) {
    this.sender = `${options.sender}@${host} (${config.get<string>('mail.host')})`;
  }
}

@Module({ imports: [ConfigModule.forFeature(mailConfig)], providers: [MailService], exports: [MailService] })
class MailCoreModule extends ConfigurableModuleClass {}

@Module({
  imports: [
    MailCoreModule.forRootAsync({
      imports: [ConfigModule],
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({ sender: config.getOrThrow<string>('APP_NAME').toLowerCase() }),
    }),
  ],
  exports: [MailCoreModule],
})
export class MailModule {}
