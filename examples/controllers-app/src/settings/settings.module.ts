/** `Settings` for every module, without an import. */
import { type DynamicModule, Module } from 'fulmar/controllers';
import { Settings } from './settings.ts';

@Module({})
export class SettingsModule {
  static of(settings: Settings): DynamicModule {
    return { module: SettingsModule, global: true, providers: [{ provide: Settings, useValue: settings }], exports: [Settings] };
  }
}
