/**
 * `StandardSchemaSerializerInterceptor`: what handlers return goes through a schema (zod, valibot, ArkType …), which says
 * what leaves. Values that do not fit are errors of the server, of which clients are told nothing.
 */
import type { StandardSchemaV1 } from '../../app/index.ts';
import { Inject, Injectable, Optional } from '../decorators/modules.ts';
import { StreamableFile } from '../http/streamable-file.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { isRecord } from '../pipes/rejection.ts';
import { isObservable } from '../pipeline/values.ts';
import { Reflector } from '../reflector.ts';
import { OPTIONS } from './class-serializer.ts';

export interface StandardSchemaSerializerInterceptorOptions {
  /** For what `@SerializeOptions({ schema })` says nothing of. */
  schema?: StandardSchemaV1;
}

export class StandardSchemaSerializerInterceptor implements NestInterceptor {
  protected readonly reflector: Reflector;
  protected readonly defaultOptions: StandardSchemaSerializerInterceptorOptions;

  constructor(reflector: Reflector, defaultOptions: StandardSchemaSerializerInterceptorOptions = {}) {
    this.reflector = reflector;
    this.defaultOptions = defaultOptions;
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const targets = [context.getHandler(), context.getClass()];
    const said = this.reflector.getAll<StandardSchemaSerializerInterceptorOptions[]>(OPTIONS, targets);
    const schema = said.find((one) => one?.schema !== undefined)?.schema ?? this.defaultOptions.schema;
    const value = await next();
    return schema === undefined ? value : this.serialize(value, schema);
  }

  /** Lists item by item; files, streams and events stay what they are. */
  protected serialize(response: unknown, schema: StandardSchemaV1): unknown {
    if (!isRecord(response) || response instanceof StreamableFile || isObservable(response) || isStream(response)) return response;
    return Array.isArray(response) ? Promise.all(response.map((item) => fitted(item, schema))) : fitted(response, schema);
  }
}

async function fitted(value: unknown, schema: StandardSchemaV1): Promise<unknown> {
  if (!value) return value;
  const result = await schema['~standard'].validate(value);
  if (result.issues !== undefined) throw new Error(`Serialization failed: ${result.issues.map(({ message }) => message).join(', ')}`);
  return result.value;
}

const isStream = (value: Record<PropertyKey, unknown>): boolean => typeof value['pipe'] === 'function' || value instanceof ReadableStream;

Injectable()(StandardSchemaSerializerInterceptor);
Inject(Reflector)(StandardSchemaSerializerInterceptor, undefined as never, 0);
Optional()(StandardSchemaSerializerInterceptor, undefined as never, 1);
