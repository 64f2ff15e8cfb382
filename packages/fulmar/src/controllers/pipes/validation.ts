/**
 * `ValidationPipe`: values as instances of the classes that parameters are typed with, checked by the application's own
 * class-validator and made by its class-transformer. What Nest lets its subclasses override has Nest's names.
 */
import { requireFromApplication } from '../../app/openapi/application-package.ts';
import { Injectable } from '../decorators/modules.ts';
import { exceptionFor, withBody } from '../exceptions/by-status.ts';
import { HttpStatus } from '../enums.ts';
import type { ArgumentMetadata, PipeTransform, Type } from '../nest-types.ts';
import { isBinary, NestedBinary } from './nested-binary.ts';
import { isNil, rejectionOf } from './rejection.ts';
import { instanceToPlain, plainToInstance } from './transformer.ts';
import { closeGaps, stripProtoKeys } from './untrusted.ts';
import {
  type Budget,
  limited,
  messagesLengthMax,
  OMITTED,
  stripParentValues,
  toFieldErrors,
  type ValidationErrorFormatter,
} from './validation-errors.ts';
import type { ClassTransformOptions, TransformerPackage, ValidationError, ValidatorOptions, ValidatorPackage } from './validation-types.ts';

export type ValidationErrorFormat = 'list' | 'grouped';
export interface ValidationPipeOptions extends ValidatorOptions {
  /** The handler is given the instance; texts of paths and queries become numbers and booleans. */
  transform?: boolean;
  /** The reply has a status and its title. */
  disableErrorMessages?: boolean;
  transformOptions?: ClassTransformOptions;
  /** Default: 400. */
  errorHttpStatusCode?: number;
  exceptionFactory?: (errors: ValidationError[]) => any;
  validateCustomDecorators?: boolean;
  /** Instead of the parameter's type. */
  expectedType?: Type<any>;
  /** Instead of the application's `class-validator` and `class-transformer`. */
  validatorPackage?: ValidatorPackage;
  transformerPackage?: TransformerPackage;
  /** The body of the reply. Default: `list`. */
  errorFormat?: ValidationErrorFormat | ValidationErrorFormatter;
  /** In characters. Default: 1,000,000. */
  maxErrorMessagesLength?: number;
}

interface Packages {
  readonly validator: ValidatorPackage;
  readonly transformer: TransformerPackage;
  readonly binary: NestedBinary;
}

const PURPOSE = 'ValidationPipe checks and makes instances of classes';
const BUILT_IN: readonly unknown[] = [String, Boolean, Number, Array, Object, Buffer, Date];
const NO_OBJECT = 'Validation failed (object is expected)';

export class ValidationPipe implements PipeTransform<any> {
  protected isTransformEnabled: boolean;
  protected isDetailedOutputDisabled: boolean | undefined;
  protected validatorOptions: ValidatorOptions;
  protected transformOptions: ClassTransformOptions | undefined;
  protected errorHttpStatusCode: number;
  protected expectedType: Type<any> | undefined;
  protected exceptionFactory: (errors: ValidationError[]) => any;
  protected validateCustomDecorators: boolean;
  protected errorFormat: ValidationErrorFormat | ValidationErrorFormatter;
  protected maxErrorMessagesLength: number;
  readonly #packages: Packages;

  /** @throws TypeError for a status without an exception and for a format that there is not; Error without the packages */
  constructor(options: ValidationPipeOptions = {}) {
    const {
      transform,
      disableErrorMessages,
      errorHttpStatusCode = HttpStatus.BAD_REQUEST,
      expectedType,
      transformOptions,
      exceptionFactory,
      ...others
    } = options;
    const { validatorPackage, transformerPackage, validateCustomDecorators, errorFormat, maxErrorMessagesLength, ...rules } = others;
    this.validatorOptions = { forbidUnknownValues: false, ...rules };
    this.isTransformEnabled = Boolean(transform);
    this.transformOptions = transformOptions;
    this.isDetailedOutputDisabled = disableErrorMessages;
    this.validateCustomDecorators = validateCustomDecorators ?? false;
    this.errorHttpStatusCode = errorHttpStatusCode;
    this.expectedType = expectedType;
    this.errorFormat = errorFormat ?? 'list';
    this.maxErrorMessagesLength = messagesLengthMax(maxErrorMessagesLength);
    checkFormat(this.constructor.name, this.errorFormat);
    rejectionOf(this, { errorHttpStatusCode, exceptionFactory });
    this.exceptionFactory = exceptionFactory ?? this.createExceptionFactory();
    const validator = validatorPackage ?? (requireFromApplication('class-validator', PURPOSE) as ValidatorPackage);
    const transformer = transformerPackage ?? (requireFromApplication('class-transformer', PURPOSE) as TransformerPackage);
    this.#packages = { validator, transformer, binary: new NestedBinary(validator, this.validatorOptions) };
  }

  async transform(given: unknown, asked: ArgumentMetadata): Promise<any> {
    const metadata = this.expectedType === undefined ? asked : { ...asked, metatype: this.expectedType };
    const { metatype } = metadata;
    if (!metatype || !this.toValidate(metadata)) return this.isTransformEnabled ? this.transformPrimitive(given, metadata) : given;
    const value = this.toEmptyIfNil(given, metatype);
    // class-transformer leaves gaps out: what is checked is to be what is handed on.
    this.closeArrayGaps(value);
    this.stripProtoKeys(value);
    const made = plainToInstance(this.#packages.transformer, metatype, value, this.transformOptions);
    const isStandIn = this.isPrimitive(value) || this.isBinary(value);
    const isOther = (made as { constructor: unknown }).constructor !== metatype;
    await this.#check(made, metatype, isOther && isStandIn);
    if (isOther && (isStandIn || Array.isArray(value)) && (await this.hasValidationRules(metatype)))
      throw await this.exceptionFactory([{ property: metadata.data || metadata.type, constraints: { isObject: NO_OBJECT }, children: [] }]);
    // Of an enum, for which an empty text stood in.
    if (given === undefined && made === '') return given;
    if (this.isTransformEnabled) return made;
    if (value !== given) return given;
    // Rules may have changed what is there: what is handed on is what they left.
    return Object.keys(this.validatorOptions).length > 1 ? instanceToPlain(this.#packages.transformer, made, this.transformOptions) : value;
  }

  /** `isStandIn`: a text or bytes, in whose place an object of the class without anything in it is checked. */
  async #check(made: unknown, metatype: Type, isStandIn: boolean): Promise<void> {
    const entity = (isStandIn ? { constructor: metatype } : made) as { constructor?: unknown };
    const isOther = !isStandIn && entity.constructor !== metatype;
    if (isOther) entity.constructor = metatype;
    const bytes = this.findNestedBinaryValues(entity);
    if (bytes.length > 0) throw await this.exceptionFactory(bytes);
    const { validationError } = this.validatorOptions;
    // With its target each error would repeat the whole object.
    const errors = await this.validate(entity, { ...this.validatorOptions, validationError: { target: false, ...validationError } });
    // Left there, it would make copies look like instances.
    if (isOther) delete entity.constructor;
    if (errors.length === 0) return;
    if (validationError?.value === undefined) this.stripParentErrorValues(errors);
    throw await this.exceptionFactory(errors);
  }

  createExceptionFactory(): (errors?: ValidationError[]) => any {
    const Exception = exceptionFor(this.constructor.name, this.errorHttpStatusCode);
    return (errors = []) => {
      if (this.isDetailedOutputDisabled === true) return new Exception();
      const budget: Budget = { remaining: this.maxErrorMessagesLength, isExceeded: false };
      const told = this.limitValidationErrors(errors, budget);
      if (this.errorFormat === 'list') {
        const messages = this.flattenValidationErrors(told);
        return new Exception(budget.isExceeded ? [...messages, OMITTED] : messages);
      }
      const { message: error, statusCode } = new Exception().getResponse() as { message: string; statusCode: number };
      if (this.errorFormat === 'grouped') {
        const grouped = this.groupValidationErrors(told);
        return new Exception({ message: budget.isExceeded ? { ...grouped, '...': [OMITTED] } : grouped, error, statusCode });
      }
      const fields = toFieldErrors(told);
      if (budget.isExceeded) fields.push({ field: '...', messages: [OMITTED], value: undefined });
      return withBody(Exception, this.errorFormat.format(fields, { statusCode, error }), statusCode);
    };
  }

  protected limitValidationErrors(errors: ValidationError[], budget: Budget, parentPathLength = 0): ValidationError[] {
    return limited(errors, budget, parentPathLength);
  }

  protected stripParentErrorValues(errors: ValidationError[]): void {
    stripParentValues(errors);
  }

  protected toValidate({ metatype, type }: ArgumentMetadata): boolean {
    if (type === 'custom' && !this.validateCustomDecorators) return false;
    return !BUILT_IN.includes(metatype) && !isNil(metatype);
  }

  protected transformPrimitive(value: unknown, { data, type, metatype }: ArgumentMetadata): unknown {
    if (!data || (type !== 'param' && type !== 'query') || value === undefined) return value;
    if (metatype === (Boolean as unknown)) return value === true || value === 'true';
    if (metatype === (Number as unknown)) return Number(value);
    return metatype === (String as unknown) ? String(value) : value;
  }

  /** Of a class an object without anything; of an enum, which compilers may name as the type, an empty text. */
  protected toEmptyIfNil(value: unknown, metatype: unknown): unknown {
    if (!isNil(value)) return value;
    const isClass =
      typeof metatype === 'function' || Boolean((metatype as { prototype?: { constructor?: unknown } }).prototype?.constructor);
    return isClass ? {} : '';
  }

  protected closeArrayGaps(value: unknown): void {
    closeGaps(value);
  }

  protected isPrimitive(value: unknown): boolean {
    return ['number', 'boolean', 'string'].includes(typeof value);
  }

  protected isBinary(value: unknown): boolean {
    return isBinary(value);
  }

  protected stripProtoKeys(value: unknown): void {
    stripProtoKeys(value);
  }

  protected validate(object: unknown, options?: ValidatorOptions): Promise<ValidationError[]> | ValidationError[] {
    return this.#packages.validator.validate(object, options);
  }

  protected findNestedBinaryValues(object: unknown): ValidationError[] {
    return this.#packages.binary.find(object);
  }

  /** With `forbidUnknownValues` class-validator says of a class that it has none. */
  protected async hasValidationRules(metatype: Type): Promise<boolean> {
    const errors = await this.validate({ constructor: metatype }, { ...this.validatorOptions, forbidUnknownValues: true });
    return !errors.some(({ constraints }) => constraints?.['unknownValue']);
  }

  protected flattenValidationErrors(errors: ValidationError[]): string[] {
    return errors
      .flatMap((error) => this.mapChildrenToValidationErrors(error))
      .flatMap(({ constraints }) => (constraints ? Object.values(constraints) : []));
  }

  protected groupValidationErrors(
    errors: ValidationError[],
    parentPath?: string,
    result: Record<string, string[]> = {},
  ): Record<string, string[]> {
    for (const { property, constraints, children } of errors) {
      const path = parentPath ? `${parentPath}.${property}` : property;
      if (constraints) result[path] = Object.values(constraints);
      if (!children || children.length === 0) continue;
      const nested = this.groupValidationErrors(children, path, result);
      if (nested !== result) Object.assign(result, nested);
    }
    return result;
  }

  protected mapChildrenToValidationErrors(error: ValidationError, parentPath?: string, found: ValidationError[] = []): ValidationError[] {
    const own = parentPath ? this.prependConstraintsWithParentProp(parentPath, error) : error;
    const hasChildren = error.children !== undefined && error.children.length > 0;
    if (!hasChildren || error.constraints) found.push(own);
    if (!hasChildren) return found;
    const path = parentPath ? `${parentPath}.${error.property}` : error.property;
    for (const child of error.children ?? []) {
      const nested = this.mapChildrenToValidationErrors(child, path, found);
      // Of a subclass, with a list of its own; it may be longer than a call takes arguments.
      if (nested !== found) for (const one of nested) found.push(one);
    }
    return found;
  }

  protected prependConstraintsWithParentProp(parentPath: string, error: ValidationError): ValidationError {
    const constraints = Object.entries(error.constraints ?? {}).map(([key, message]) => [key, `${parentPath}.${message}`]);
    return { ...error, constraints: Object.fromEntries(constraints) as Record<string, string> };
  }
}

/** @throws TypeError for a format that there is not */
function checkFormat(who: string, format: unknown): void {
  if (format === 'list' || format === 'grouped' || typeof (format as { format?: unknown } | null)?.format === 'function') return;
  throw new TypeError(`errorFormat of ${who} is 'list', 'grouped' or an object with format(), and this is ${JSON.stringify(format)}.`);
}

Injectable()(ValidationPipe);
