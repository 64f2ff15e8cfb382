/**
 * What every module can be injected with, without an import.
 */
import { ApplicationConfig } from './application-config.ts';
import type { Container } from '../container/container.ts';
import { ModulesContainer } from '../container/discovery.ts';
import { LazyModuleLoader } from '../container/lazy-modules.ts';
import { ModuleRef } from '../container/module-ref.ts';
import { Wrapper } from '../container/wrapper.ts';
import { Reflector } from '../reflector.ts';
import { HttpAdapterHost } from '../http/adapter.ts';

export function provideCore(container: Container, adapterHost: HttpAdapterHost): void {
  container.provideCore(Reflector, new Reflector());
  container.provideCore(HttpAdapterHost, adapterHost);
  container.provideCore(ApplicationConfig, new ApplicationConfig());
  container.provideCore(LazyModuleLoader, new LazyModuleLoader(container));
  container.provideCore(ModulesContainer, container.modules);
}

/** Each module's own. */
export function furnish(module: Container['core'], container: Container): void {
  module.providers.set(ModuleRef, new Wrapper(ModuleRef, module, { kind: 'value', value: new ModuleRef(container, module) }));
}
