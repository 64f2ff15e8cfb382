/**
 * `CacheModule`: one cache for the interceptors and services of the modules that import it, `@Inject(CACHE_MANAGER)`.
 */
import { ConfigurableModuleBuilder } from '../container/configurable-module.ts';
import { Module } from '../decorators/modules.ts';
import type { DynamicModule } from '../nest-types.ts';
import { type CacheInterceptorOptions, checkCache } from '../interceptors/cache-options.ts';
import { CACHE_MANAGER, CACHE_MODULE_OPTIONS } from './decorators.ts';
import { MemoryCache } from '../../app/caching/memory-cache.ts';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<CacheInterceptorOptions>({
  moduleName: 'Cache',
  optionsInjectionToken: CACHE_MODULE_OPTIONS,
})
  .setFactoryMethodName('createCacheOptions')
  .setExtras({ isGlobal: false }, (definition: DynamicModule, { isGlobal }: { isGlobal?: boolean }) => ({
    ...definition,
    global: isGlobal === true,
    exports: [CACHE_MANAGER, CACHE_MODULE_OPTIONS],
  }))
  .build();

/** `CacheModule.register({ ttl, max, isGlobal })`, `CacheModule.registerAsync({ useFactory })`. */
export class CacheModule extends ConfigurableModuleClass {
  static override register(options: CacheInterceptorOptions & { isGlobal?: boolean } = {}): DynamicModule {
    return super.register(options);
  }
}

const make = (options: CacheInterceptorOptions): MemoryCache => {
  checkCache('CacheModule.register', options);
  const { ttl, max, maxBytes } = options;
  return new MemoryCache({
    ...(ttl !== undefined && { ttl }),
    ...(max !== undefined && { max }),
    ...(maxBytes !== undefined && { maxBytes }),
  });
};

Module({
  providers: [{ provide: CACHE_MANAGER, useFactory: make, inject: [CACHE_MODULE_OPTIONS] }],
  exports: [CACHE_MANAGER],
})(CacheModule);
