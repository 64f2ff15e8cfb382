/** Parts of another Nest, which would be there and never called: refused at start. */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ContextIdFactory,
  Controller,
  createApplication,
  DiscoveryService,
  Get,
  Inject,
  Injectable,
  Injector,
  Module,
  ModuleRef,
  ModulesContainer,
  NestFactory,
  Reflector,
  REQUEST,
  Scope,
} from '../../src/controllers/index.ts';

test('a class of @nestjs/core that is injected says that there are two, and what to do', async () => {
  const other = { Reflector: class Reflector {} };
  @Injectable()
  class Guard {
    readonly reflector: unknown;
    constructor(@Inject(other.Reflector) reflector: unknown) {
      this.reflector = reflector;
    }
  }
  await assert.rejects(createApplication({ providers: [Guard] }), ({ message }: Error) => {
    assert.match(message, /the argument Reflector at index \[0\] is not available in ApplicationModule/);
    assert.match(message, /that of the package @nestjs\/core, while the application runs on fulmar\/controllers/);
    assert.match(message, /take it out, .* and start with `fulmar run`/);
    return true;
  });
  assert.notEqual(other.Reflector, Reflector);
});

test('a gateway is refused', async () => {
  class Chat {}
  Reflect.defineMetadata('websockets:is_gateway', true, Chat);
  await assert.rejects(createApplication({ providers: [Chat] }), /Chat of ApplicationModule is a gateway of @nestjs\/websockets/);
});

test('a handler of messages is refused', async () => {
  @Controller()
  class Mixed {
    @Get()
    ok(): string {
      return 'ok';
    }
    sum(): number {
      return 1;
    }
  }
  Reflect.defineMetadata('microservices:pattern', ['sum'], Mixed.prototype.sum);
  const app = await createApplication({ controllers: [Mixed] });
  await assert.rejects(app.init(), /Mixed\.sum\(\) handles messages of @nestjs\/microservices/);
});

test('an injector gives a provider of requests for a context of its own, as packages ask for it', async () => {
  @Injectable({ scope: Scope.REQUEST })
  class Scoped {
    readonly request: unknown;
    constructor(@Inject(REQUEST) request: unknown) {
      this.request = request;
    }
  }
  @Module({ providers: [Scoped] })
  class Root {
    readonly modules: ModuleRef;
    constructor(modules: ModuleRef) {
      this.modules = modules;
    }
  }
  const app = await NestFactory.createApplicationContext(Root);
  const wrapper = new DiscoveryService(app.get(ModulesContainer)).getProviders().find(({ token }) => token === Scoped);
  assert.ok(wrapper !== undefined);
  assert.equal(wrapper.isDependencyTreeStatic(), false);
  assert.equal(wrapper.isAlias, false);
  assert.equal(wrapper.instance.constructor, Scoped);
  const contextId = ContextIdFactory.getByRequest(undefined);
  app.get(ModuleRef, { strict: false }).registerRequestByContextId({ of: 'an event' }, contextId);
  const one: Scoped = await new Injector().loadPerContext(wrapper.instance, wrapper.host, wrapper.host.providers, contextId);
  assert.deepEqual(one.request, { of: 'an event' });
  assert.equal(await new Injector().loadPerContext(wrapper.instance, wrapper.host, wrapper.host.providers, contextId), one);
  class Stranger {}
  await assert.rejects(
    new Injector().loadPerContext(new Stranger(), wrapper.host, wrapper.host.providers, contextId),
    /Stranger is no provider of Root/,
  );
  await app.close();
});
