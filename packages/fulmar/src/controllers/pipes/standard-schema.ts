/**
 * `StandardSchemaValidationPipe`: values checked by the schema that a parameter is given, `@Body({ schema })`, of
 * whatever library has Standard Schemas.
 */
import { Injectable } from '../decorators/modules.ts';
import type { StandardSchemaV1 } from '../../app/index.ts';
import type { ArgumentMetadata, PipeTransform } from '../nest-types.ts';
import { isRecord, rejectionOf } from './rejection.ts';
import { stripProtoKeys } from './untrusted.ts';
import { messagesLengthMax, OMITTED } from './validation-errors.ts';

export interface StandardSchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
export interface StandardSchemaValidationPipeOptions {
  /** False: the handler is given what came, not what the schema made of it. */
  transform?: boolean;
  validateCustomDecorators?: boolean;
  /** Given to the schema's library. */
  validateOptions?: Record<string, unknown>;
  errorHttpStatusCode?: number;
  exceptionFactory?: (issues: readonly StandardSchemaIssue[]) => any;
  /** In characters. Default: 1,000,000. */
  maxErrorMessagesLength?: number;
}

type Validate = (value: unknown, options?: unknown) => Result | Promise<Result>;
type Result = { readonly value?: unknown; readonly issues?: readonly StandardSchemaIssue[] | undefined };

export class StandardSchemaValidationPipe implements PipeTransform<any> {
  protected readonly options: StandardSchemaValidationPipeOptions;
  protected readonly isTransformEnabled: boolean;
  protected readonly validateCustomDecorators: boolean;
  protected readonly maxErrorMessagesLength: number;
  protected readonly exceptionFactory: (issues: readonly StandardSchemaIssue[]) => any;

  constructor(options: StandardSchemaValidationPipeOptions = {}) {
    this.options = options;
    this.isTransformEnabled = options.transform ?? true;
    this.validateCustomDecorators = options.validateCustomDecorators ?? false;
    this.maxErrorMessagesLength = messagesLengthMax(options.maxErrorMessagesLength);
    const reject = rejectionOf(this, options);
    this.exceptionFactory = options.exceptionFactory ?? ((issues) => reject(this.formatIssueMessages(issues)) as unknown);
  }

  async transform(value: any, metadata: ArgumentMetadata): Promise<any> {
    const { schema } = metadata;
    if (schema === undefined || !this.toValidate(metadata)) return value;
    this.stripProtoKeys(value);
    const result = await this.validate(value, schema, this.options.validateOptions);
    if (result.issues !== undefined) throw this.exceptionFactory(result.issues);
    return this.isTransformEnabled ? result.value : value;
  }

  protected formatIssueMessages(issues: readonly StandardSchemaIssue[]): string[] {
    const messages: string[] = [];
    let remaining = this.maxErrorMessagesLength;
    for (const { message, path } of issues) {
      if (remaining <= 0) {
        messages.push(OMITTED);
        break;
      }
      const where = path?.map((segment) => String(isRecord(segment) ? segment['key'] : segment)).join('.');
      const told = where === undefined || path?.length === 0 ? message : `${where}: ${message}`;
      remaining -= String(told).length;
      messages.push(told);
    }
    return messages;
  }

  protected toValidate({ type }: ArgumentMetadata): boolean {
    return type !== 'custom' || this.validateCustomDecorators;
  }

  protected validate(value: unknown, schema: StandardSchemaV1, options?: Record<string, unknown>): Result | Promise<Result> {
    return (schema['~standard'].validate as Validate)(value, options);
  }

  protected stripProtoKeys(value: unknown): void {
    stripProtoKeys(value);
  }
}

Injectable()(StandardSchemaValidationPipe);
