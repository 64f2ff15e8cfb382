/**
 * What class-validator and class-transformer are to `ValidationPipe`: types only, with the names that they have.
 */
import type { Type } from '../nest-types.ts';

/** Of class-validator. */
export interface ValidationError {
  target?: Record<string, any>;
  property: string;
  value?: any;
  constraints?: Record<string, string>;
  children?: ValidationError[];
  contexts?: Record<string, any>;
}

export interface ValidatorOptions {
  enableDebugMessages?: boolean;
  skipUndefinedProperties?: boolean;
  skipNullProperties?: boolean;
  skipMissingProperties?: boolean;
  whitelist?: boolean;
  forbidNonWhitelisted?: boolean;
  groups?: string[];
  always?: boolean;
  strictGroups?: boolean;
  dismissDefaultMessages?: boolean;
  validationError?: { target?: boolean; value?: boolean };
  forbidUnknownValues?: boolean;
  stopAtFirstError?: boolean;
}

export interface ClassTransformOptions {
  strategy?: 'excludeAll' | 'exposeAll';
  groups?: string[];
  version?: number;
  excludePrefixes?: string[];
  ignoreDecorators?: boolean;
  targetMaps?: any[];
  enableCircularCheck?: boolean;
  enableImplicitConversion?: boolean;
  exposeDefaultValues?: boolean;
  exposeUnsetFields?: boolean;
}

export interface TransformerPackage {
  plainToInstance?(type: Type, plain: unknown, options?: ClassTransformOptions): any;
  /** Of older versions. */
  plainToClass?(type: Type, plain: unknown, options?: ClassTransformOptions): any;
  instanceToPlain?(instance: unknown, options?: ClassTransformOptions): any;
  classToPlain?(instance: unknown, options?: ClassTransformOptions): any;
}

export interface ValidationMetadata {
  readonly type: string;
  readonly propertyName: string;
  readonly message?: unknown;
  readonly each?: boolean;
  readonly constraints: readonly ((target: unknown, value: unknown) => boolean)[];
}
export interface ValidatorPackage {
  validate(object: unknown, options?: ValidatorOptions): ValidationError[] | Promise<ValidationError[]>;
  getMetadataStorage?(): {
    getTargetValidationMetadatas(
      target: Function,
      schema: undefined,
      always: boolean,
      strictGroups: boolean,
      groups?: string[],
    ): ValidationMetadata[];
  };
}
