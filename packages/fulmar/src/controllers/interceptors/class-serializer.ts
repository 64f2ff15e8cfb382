/**
 * `ClassSerializerInterceptor`: what handlers return as class-transformer of the application's makes it plain, so that
 * `@Exclude()` and `@Expose()` of its classes say what leaves.
 */
import { requireFromApplication } from '../../app/openapi/application-package.ts';
import { Inject, Injectable, Optional } from '../decorators/modules.ts';
import { type CustomDecorator, SetMetadata } from '../decorators/enhancers.ts';
import { StreamableFile } from '../http/streamable-file.ts';
import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '../nest-types.ts';
import { isRecord } from '../pipes/rejection.ts';
import { instanceToPlain, plainToInstance } from '../pipes/transformer.ts';
import type { ClassTransformOptions, TransformerPackage } from '../pipes/validation-types.ts';
import { eachOf, isObservable } from '../pipeline/values.ts';
import { Reflector } from '../reflector.ts';
import type { StandardSchemaV1 } from '../../app/index.ts';

export interface ClassSerializerContextOptions extends ClassTransformOptions {
  /** What `StandardSchemaSerializerInterceptor` makes plain values by. */
  schema?: StandardSchemaV1;
  /** What plain objects are made first. */
  type?: Type<any>;
}
export interface ClassSerializerInterceptorOptions extends ClassTransformOptions {
  /** Instead of the application's `class-transformer`. */
  transformerPackage?: TransformerPackage;
}

export const OPTIONS = 'class_serializer:options';
const PURPOSE = 'ClassSerializerInterceptor makes instances of classes plain';

/** Of a method or of a class; the method's count. */
export const SerializeOptions = (options: ClassSerializerContextOptions): CustomDecorator => SetMetadata(OPTIONS, options);

export class ClassSerializerInterceptor implements NestInterceptor {
  protected readonly reflector: Reflector;
  protected readonly defaultOptions: ClassSerializerInterceptorOptions;
  readonly #transformer: TransformerPackage;

  /** @throws Error without the package */
  constructor(reflector: Reflector, defaultOptions: ClassSerializerInterceptorOptions = {}) {
    this.reflector = reflector;
    this.defaultOptions = defaultOptions;
    this.#transformer = defaultOptions.transformerPackage ?? (requireFromApplication('class-transformer', PURPOSE) as TransformerPackage);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const options = { ...this.defaultOptions, ...this.getContextOptions(context) };
    const value = await next();
    // Of events each is shown.
    return isObservable(value) ? eachOf(value, (event) => this.serialize(event, options)) : this.serialize(value, options);
  }

  /** Files and streams are bytes, and stay what they are. */
  serialize(response: unknown, options: ClassSerializerContextOptions): unknown {
    if (!isRecord(response) || response instanceof StreamableFile || isStream(response)) return response;
    return Array.isArray(response)
      ? response.map((item: unknown) => this.transformToPlain(item, options))
      : this.transformToPlain(response, options);
  }

  transformToPlain(given: unknown, options: ClassSerializerContextOptions): unknown {
    if (!given) return given;
    const { type } = options;
    const made = type === undefined || given instanceof type ? given : plainToInstance(this.#transformer, type, given, options);
    return instanceToPlain(this.#transformer, made, options);
  }

  protected getContextOptions(context: ExecutionContext): ClassSerializerContextOptions | undefined {
    return this.reflector.getAllAndOverride(OPTIONS, [context.getHandler(), context.getClass()]);
  }
}

const isStream = (value: Record<PropertyKey, unknown>): boolean => typeof value['pipe'] === 'function' || value instanceof ReadableStream;

Injectable()(ClassSerializerInterceptor);
Inject(Reflector)(ClassSerializerInterceptor, undefined as never, 0);
Optional()(ClassSerializerInterceptor, undefined as never, 1);
