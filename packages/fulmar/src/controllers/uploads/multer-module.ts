/**
 * `MulterModule`: options for the interceptors of the modules that import it.
 */
import { Module } from '../decorators/modules.ts';
import type { DynamicModule, FactoryProvider, ModuleImport, Provider, Type } from '../nest-types.ts';
import type { MulterOptions } from './multer-types.ts';

export const MULTER_MODULE_OPTIONS = 'MULTER_MODULE_OPTIONS';

export type MulterModuleOptions = MulterOptions;
export interface MulterOptionsFactory {
  createMulterOptions(): Promise<MulterModuleOptions> | MulterModuleOptions;
}
export interface MulterModuleAsyncOptions {
  imports?: ModuleImport[];
  useExisting?: Type<MulterOptionsFactory>;
  useClass?: Type<MulterOptionsFactory>;
  useFactory?: (...given: any[]) => Promise<MulterModuleOptions> | MulterModuleOptions;
  inject?: FactoryProvider['inject'];
}

export class MulterModule {
  static register(options: MulterModuleOptions = {}): DynamicModule {
    return { module: MulterModule, providers: [{ provide: MULTER_MODULE_OPTIONS, useValue: options }], exports: [MULTER_MODULE_OPTIONS] };
  }

  /** @throws TypeError where nothing makes options */
  static registerAsync(options: MulterModuleAsyncOptions): DynamicModule {
    return {
      module: MulterModule,
      imports: options.imports ?? [],
      providers: providersOf(options),
      exports: [MULTER_MODULE_OPTIONS],
    };
  }
}

function providersOf({ useFactory, useClass, useExisting, inject }: MulterModuleAsyncOptions): Provider[] {
  if (useFactory !== undefined) return [{ provide: MULTER_MODULE_OPTIONS, useFactory, inject: inject ?? [] }];
  const maker = useExisting ?? useClass;
  if (maker === undefined)
    throw new TypeError('MulterModule.registerAsync() takes useFactory, useClass or useExisting, and there is none of them.');
  const options: Provider = {
    provide: MULTER_MODULE_OPTIONS,
    useFactory: (factory: MulterOptionsFactory) => factory.createMulterOptions(),
    inject: [maker],
  };
  return useExisting === undefined ? [options, { provide: maker, useClass: maker }] : [options];
}

Module({})(MulterModule);
