/**
 * `ThrottlerModule` and `ThrottlerGuard`: limits of an application, each route counted for itself.
 * `{ provide: APP_GUARD, useClass: ThrottlerGuard }` holds them for all.
 */
import { Global, Inject, Injectable, Module } from '../decorators/modules.ts';
import type { CanActivate, DynamicModule, ExecutionContext, FactoryProvider, ModuleImport } from '../nest-types.ts';
import { Throttler, type ThrottlerOptions } from './throttler.ts';

const THROTTLER_OPTIONS = 'THROTTLER:MODULE_OPTIONS';

export type ThrottlerModuleOptions = readonly ThrottlerOptions[] | { readonly throttlers: readonly ThrottlerOptions[] };
export interface ThrottlerAsyncOptions {
  imports?: ModuleImport[];
  useFactory: (...given: any[]) => ThrottlerModuleOptions | Promise<ThrottlerModuleOptions>;
  inject?: FactoryProvider['inject'];
}

export class ThrottlerModule {
  static forRoot(options: ThrottlerModuleOptions): DynamicModule {
    return { module: ThrottlerModule, providers: [{ provide: THROTTLER_OPTIONS, useValue: options }], exports: [THROTTLER_OPTIONS] };
  }

  static forRootAsync({ imports = [], useFactory, inject = [] }: ThrottlerAsyncOptions): DynamicModule {
    return {
      module: ThrottlerModule,
      imports,
      providers: [{ provide: THROTTLER_OPTIONS, useFactory, inject }],
      exports: [THROTTLER_OPTIONS],
    };
  }
}

export class ThrottlerGuard implements CanActivate {
  readonly #throttlers: readonly Throttler[];

  /** @throws TypeError for limits that are none, and where two have one name */
  constructor(options: ThrottlerModuleOptions) {
    const given = Array.isArray(options)
      ? (options as readonly ThrottlerOptions[])
      : (options as { throttlers: readonly ThrottlerOptions[] }).throttlers;
    if (!Array.isArray(given) || given.length === 0)
      throw new TypeError('ThrottlerModule.forRoot() takes a list of limits, [{ limit, ttl }], or { throttlers: [{ limit, ttl }] }.');
    const names = given.map(({ name = 'default' }: ThrottlerOptions) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new TypeError(`ThrottlerModule.forRoot() has two limits of the name ${twice}: give each a { name }.`);
    this.#throttlers = given.map((one: ThrottlerOptions) => new Throttler('ThrottlerModule.forRoot', one, true));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    for (const throttler of this.#throttlers) await throttler.count(context);
    return true;
  }
}

Global()(ThrottlerModule);
Module({})(ThrottlerModule);
Injectable()(ThrottlerGuard);
Inject(THROTTLER_OPTIONS)(ThrottlerGuard, undefined as never, 0);
