/**
 * What an application's classes are to Fulmar: Nest's interfaces, with its names. Types only; `any` stands where Nest
 * has it, so that sources written for Nest type-check.
 */
import type { Observable } from 'rxjs';
import type { AnyContext, StandardSchemaV1 } from '../app/index.ts';

export interface Type<T = any> extends Function {
  new (...args: any[]): T;
}
export interface Abstract<T> extends Function {
  prototype: T;
}
export type InjectionToken<T = any> = string | symbol | Type<T> | Abstract<T> | Function;
export interface ForwardReference<T = any> {
  forwardRef: () => T;
}
export interface OptionalFactoryDependency {
  token: InjectionToken;
  optional: boolean;
}

/** `Scope` as a value is in `enums.ts`. */
export type ScopeValue = 0 | 1 | 2;

export interface ScopeOptions {
  scope?: ScopeValue;
  durable?: boolean;
}
export type InjectableOptions = ScopeOptions;

export interface ClassProvider<T = any> {
  provide: InjectionToken;
  useClass: Type<T>;
  scope?: ScopeValue;
  inject?: never;
  durable?: boolean;
}
export interface ValueProvider<T = any> {
  provide: InjectionToken;
  useValue: T;
  inject?: never;
}
export interface FactoryProvider<T = any> {
  provide: InjectionToken;
  useFactory: (...args: any[]) => T | Promise<T>;
  inject?: (InjectionToken | OptionalFactoryDependency | ForwardReference)[];
  scope?: ScopeValue;
  durable?: boolean;
}
export interface ExistingProvider {
  provide: InjectionToken;
  useExisting: any;
}
export type Provider<T = any> = Type<any> | ClassProvider<T> | ValueProvider<T> | FactoryProvider<T> | ExistingProvider;

export type ModuleImport = Type<any> | DynamicModule | Promise<DynamicModule> | ForwardReference;
export interface ModuleMetadata {
  imports?: ModuleImport[];
  controllers?: Type<any>[];
  providers?: Provider[];
  exports?: (DynamicModule | string | symbol | Provider | ForwardReference | Abstract<any> | Function)[];
}
export interface DynamicModule extends ModuleMetadata {
  module: Type<any>;
  global?: boolean;
}

export type ContextType = 'http' | 'ws' | 'rpc';
export interface HttpArgumentsHost {
  getRequest<T = any>(): T;
  getResponse<T = any>(): T;
  getNext<T = any>(): T;
}
export interface RpcArgumentsHost {
  getData<T = any>(): T;
  getContext<T = any>(): T;
}
export interface WsArgumentsHost {
  getData<T = any>(): T;
  getClient<T = any>(): T;
  getPattern(): string;
}
export interface ArgumentsHost {
  getArgs<T extends any[] = any[]>(): T;
  getArgByIndex<T = any>(index: number): T;
  switchToHttp(): HttpArgumentsHost;
  /** For packages that are written for several transports; here the arguments are those of HTTP, in their order. */
  switchToRpc(): RpcArgumentsHost;
  switchToWs(): WsArgumentsHost;
  getType<T extends string = ContextType>(): T;
  /** The same as by `switchToHttp()`. */
  getRequest<T = any>(): T;
  getResponse<T = any>(): T;
  /** The app's own context. */
  getContext(): AnyContext;
}
export interface ExecutionContext extends ArgumentsHost {
  getClass<T = any>(): Type<T>;
  getHandler(): Function;
}

export interface CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> | Observable<boolean>;
}
/** What is behind an interceptor: `handle()` as an Observable of the application's `rxjs`, or called, as a promise. */
export interface CallHandler<T = any> {
  (): Promise<T>;
  handle(): Observable<T>;
}
export interface NestInterceptor<T = any, R = any> {
  intercept(context: ExecutionContext, next: CallHandler<T>): Observable<R> | Promise<Observable<R>> | Promise<R> | R;
}
export type Paramtype = 'body' | 'rawBody' | 'query' | 'param' | 'cookies' | 'custom';
export interface ArgumentMetadata {
  readonly type: Paramtype;
  readonly metatype?: Type<any> | undefined;
  readonly data?: string | undefined;
  /** Of `@Body({ schema })` and its like. */
  readonly schema?: StandardSchemaV1 | undefined;
}
export interface PipeTransform<T = any, R = any> {
  transform(value: T, metadata: ArgumentMetadata): R;
}
export interface ExceptionFilter<T = any> {
  catch(exception: T, host: ArgumentsHost): any;
}
export interface MessageEvent {
  data?: string | object;
  id?: string;
  type?: string;
  retry?: number;
  comment?: string;
}
export type HttpRedirectResponse = { url: string; statusCode: number };

export interface NestMiddleware<TRequest = any, TResponse = any> {
  use(req: TRequest, res: TResponse, next: (error?: any) => void): any;
}
export interface RouteInfo {
  path: string;
  method: number;
  version?: VersionValue;
}
export interface MiddlewareConfigProxy {
  exclude(...routes: (string | RouteInfo)[]): MiddlewareConfigProxy;
  forRoutes(...routes: (string | Type<any> | RouteInfo)[]): MiddlewareConsumer;
}
export interface MiddlewareConsumer {
  apply(...middleware: (Type<any> | Function | (Type<any> | Function)[])[]): MiddlewareConfigProxy;
}
export interface NestModule {
  configure(consumer: MiddlewareConsumer): any;
}

export interface OnModuleInit {
  onModuleInit(): any;
}
export interface OnApplicationBootstrap {
  onApplicationBootstrap(): any;
}
export interface OnModuleDestroy {
  onModuleDestroy(): any;
}
export interface BeforeApplicationShutdown {
  beforeApplicationShutdown(signal?: string): any;
}
export interface OnApplicationShutdown {
  onApplicationShutdown(signal?: string): any;
}

export type VersionValue = string | symbol | (string | symbol)[];
export interface VersionOptions {
  version?: VersionValue;
}
export type VersioningOptions = { defaultVersion?: VersionValue } & (
  | { type: 0; prefix?: string | false }
  | { type: 1; header: string }
  | { type: 2; key: string }
  | { type: 3; extractor: (request: any) => string | string[] }
);
export interface ControllerOptions extends ScopeOptions, VersionOptions {
  path?: string | string[];
  host?: string | RegExp | (string | RegExp)[];
}

/** A request of Express with its bytes: `NestFactory.create(Module, { rawBody: true })`. */
export type RawBodyRequest<T> = T & { rawBody?: Uint8Array };
