import {
  Controller,
  type DynamicModule,
  forwardRef,
  Get,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  Param,
  Query,
  Scope,
} from '@nestjs/common';
import { INQUIRER, LazyModuleLoader, ModuleRef, REQUEST } from '@nestjs/core';
import type { Request } from 'express';

const OPTIONS = Symbol('options of greetings');

@Injectable({ scope: Scope.TRANSIENT })
export class Greeter {
  constructor(
    @Inject(OPTIONS) private readonly options: { word: string },
    @Inject(INQUIRER) private readonly by: object,
  ) {}

  greet(name: string): string {
    return `${this.options.word} ${name}, says ${this.by.constructor.name}`;
  }
}

@Module({})
export class GreetingModule {
  static forRoot(options: { word: string }): DynamicModule {
    return {
      module: GreetingModule,
      providers: [{ provide: OPTIONS, useValue: options }, Greeter],
      exports: [Greeter],
    };
  }
}

let made = 0;

@Injectable({ scope: Scope.REQUEST })
export class RequestState {
  readonly number = (made += 1);
  readonly steps: string[] = [];

  constructor(@Inject(REQUEST) readonly request: Request) {}

  get tenant(): string {
    return String(this.request.headers['x-tenant'] ?? 'nobody');
  }
}

@Injectable()
export class Steps {
  constructor(
    private readonly state: RequestState,
    private readonly greeter: Greeter,
  ) {}

  async walk(name: string, ms: number): Promise<object> {
    this.state.steps.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.state.steps.push(`${name} ends`);
    return { tenant: this.state.tenant, steps: this.state.steps, greeting: this.greeter.greet(name) };
  }
}

@Injectable()
export class Left {
  constructor(@Inject(forwardRef(() => Right)) readonly right: { readonly name: string }) {}
  name = 'left';
  tell(): string {
    return `${this.name} of ${this.right.name}`;
  }
}

@Injectable()
export class Right {
  constructor(@Inject(forwardRef(() => Left)) readonly left: { readonly name: string }) {}
  name = 'right';
}

@Injectable()
export class LazyPart {
  tell(): string {
    return 'loaded late';
  }
}

@Module({ providers: [LazyPart], exports: [LazyPart] })
export class LazyModule {}

@Injectable()
export class Life implements OnModuleInit, OnApplicationShutdown {
  readonly lived: string[] = [];

  async onModuleInit(): Promise<void> {
    await Promise.resolve();
    this.lived.push('init');
  }

  onApplicationShutdown(signal?: string): void {
    console.log(`ends by ${signal}`);
  }
}

@Global()
@Module({
  providers: [
    Life,
    {
      provide: 'slow',
      useFactory: async (life: Life) => new Promise((resolve) => setTimeout(() => resolve(`after ${life.constructor.name}`), 5)),
      inject: [Life],
    },
    { provide: 'alias', useExisting: 'slow' },
    { provide: 'maybe', useFactory: (none?: string) => none ?? 'nothing', inject: [{ token: 'none', optional: true }] },
  ],
  exports: ['slow', 'alias', 'maybe', Life],
})
export class SharedModule {}

@Controller()
export class TenantsController {
  constructor(
    private readonly steps: Steps,
    private readonly state: RequestState,
  ) {}

  @Get('walk/:name')
  walk(@Param('name') name: string, @Query('ms') ms = '0'): Promise<object> {
    return this.steps.walk(name, Number(ms));
  }

  @Get('same')
  same(): object {
    return { path: this.state.request.url, tenant: this.state.tenant };
  }
}

@Controller('static')
export class StaticController {
  constructor(
    private readonly left: Left,
    private readonly life: Life,
    private readonly modules: ModuleRef,
    private readonly lazy: LazyModuleLoader,
    @Inject('alias') private readonly alias: string,
    @Inject('maybe') private readonly maybe: string,
  ) {}

  @Get()
  tell(): object {
    return { circle: this.left.tell(), lived: this.life.lived, alias: this.alias, maybe: this.maybe };
  }

  @Get('resolved')
  async resolved(): Promise<object> {
    const [one, other] = await Promise.all([this.modules.resolve(Greeter, undefined, { strict: false }), this.modules.create(Left)]);
    return { greeter: one.constructor.name, other: other.right.name };
  }

  @Get('lazy')
  async late(): Promise<string> {
    const module = await this.lazy.load(() => LazyModule);
    return module.get(LazyPart).tell();
  }
}

@Module({
  imports: [SharedModule, GreetingModule.forRoot({ word: 'Hello' })],
  controllers: [TenantsController, StaticController],
  providers: [RequestState, Steps, Left, Right],
})
export class TenantsApplication {}
