/**
 * All that `fulmar/controllers` exports, by name: Nest's names for what Nest has. Only exports.
 */
export {
  type INestApplication,
  type INestApplicationContext,
  NestApplication,
  type NestExpressApplication,
} from './application/application.ts';
export { ApplicationConfig } from './application/application-config.ts';
export { createApplication, NestFactory } from './application/factory.ts';
export type {
  ApplicationOptions,
  CorsOptions,
  CorsOptionsDelegate,
  GlobalPrefixOptions,
  NestApplicationOptions,
} from './application/options.ts';
export { RouterModule, type Routes, type RouteTree } from './application/router-module.ts';
export {
  type ConfigurableModuleAsyncOptions,
  ConfigurableModuleBuilder,
  type ConfigurableModuleBuilderOptions,
  type ConfigurableModuleCls,
  type ConfigurableModuleHost,
} from './container/configurable-module.ts';
export { ContainerError, UnknownElementException } from './container/container-error.ts';
export { ContextId, ContextIdFactory, createContextId, type ContextIdStrategy, type HostComponentInfo } from './container/context-id.ts';
export { DiscoveryModule, type DiscoveryOptions, DiscoveryService, ModulesContainer } from './container/discovery.ts';
export { LazyModuleLoader } from './container/lazy-modules.ts';
export { Injector } from './container/loading.ts';
export { type GetOptions, ModuleRef } from './container/module-ref.ts';
export { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, INQUIRER, REQUEST } from './container/tokens.ts';
export {
  applyDecorators,
  Catch,
  type CustomDecorator,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from './decorators/enhancers.ts';
export { Dependencies, forwardRef, Global, Inject, Injectable, mixin, Module, Optional } from './decorators/modules.ts';
export {
  Bind,
  Body,
  Context,
  Cookies,
  createParamDecorator,
  type CustomParamFactory,
  Headers,
  HostParam,
  Ip,
  Next,
  Param,
  type ParameterDecoratorOptions,
  Query,
  RawBody,
  Req,
  Request,
  Res,
  Response,
  Session,
  SignedCookies,
  UploadedFile,
  UploadedFiles,
  User,
} from './decorators/parameters.ts';
export { SSE_ABORT_CONTROLLER, SseSignal } from './decorators/sse-signal.ts';
export {
  All,
  Controller,
  Copy,
  Delete,
  Get,
  Head,
  Header,
  HttpCode,
  Lock,
  Mkcol,
  Move,
  Options,
  Patch,
  Post,
  Propfind,
  Proppatch,
  Put,
  QueryMethod,
  Redirect,
  Render,
  RequestMapping,
  type RouteDecorator,
  type RouteMethodOptions,
  type RouteMethodOptionsWithPath,
  Search,
  Sse,
  type SseOptions,
  Unlock,
  Version,
} from './decorators/routes.ts';
export { HttpStatus, RequestMethod, Scope, ShutdownSignal, VERSION_NEUTRAL, VersioningType } from './enums.ts';
export { BaseExceptionFilter } from './exceptions/base-filter.ts';
export * from './exceptions/family.ts';
export { HttpException, type HttpExceptionOptions, IntrinsicException } from './exceptions/http-exception.ts';
export { HttpAdapter, HttpAdapter as AbstractHttpAdapter, HttpAdapterHost } from './http/adapter.ts';
export { ExpressAdapter } from './http/express-adapter.ts';
export { StreamableFile, type StreamableFileOptions } from './http/streamable-file.ts';
export type { LoggerService, LogLevel } from './logger.ts';
export { filterLogLevels, LOG_LEVELS } from './logging/levels.ts';
export { MetadataScanner } from './metadata/methods.ts';
export type * from './nest-types.ts';
export { type CreateDecoratorOptions, type ReflectableDecorator, Reflector } from './reflector.ts';
export { DefaultValuePipe } from './pipes/default-value.ts';
export {
  FileTypeValidator,
  type FileTypeValidatorOptions,
  FileValidator,
  type FileValidatorContext,
  MaxFileSizeValidator,
  type MaxFileSizeValidatorOptions,
} from './pipes/file-validators.ts';
export { type ParseArrayOptions, ParseArrayPipe } from './pipes/parse-array.ts';
export { ParseBoolPipe, type ParseBoolPipeOptions } from './pipes/parse-bool.ts';
export { ParseDatePipe, type ParseDatePipeOptions } from './pipes/parse-date.ts';
export { ParseEnumPipe, type ParseEnumPipeOptions } from './pipes/parse-enum.ts';
export { type ParseFileOptions, ParseFilePipe, ParseFilePipeBuilder } from './pipes/parse-file.ts';
export { ParseFloatPipe, type ParseFloatPipeOptions, ParseIntPipe, type ParseIntPipeOptions } from './pipes/parse-number.ts';
export { ParseUUIDPipe, type ParseUUIDPipeOptions } from './pipes/parse-uuid.ts';
export {
  type StandardSchemaIssue,
  StandardSchemaValidationPipe,
  type StandardSchemaValidationPipeOptions,
} from './pipes/standard-schema.ts';
export {
  DetailedErrorFormatter,
  type FieldError,
  FormatErrorFormatter,
  ProblemErrorFormatter,
  SimpleErrorFormatter,
  type ValidationErrorFormatter,
} from './pipes/validation-errors.ts';
export type {
  ClassTransformOptions,
  TransformerPackage,
  ValidationError,
  ValidatorOptions,
  ValidatorPackage,
} from './pipes/validation-types.ts';
export { type ValidationErrorFormat, ValidationPipe, type ValidationPipeOptions } from './pipes/validation.ts';
export {
  AnyFilesInterceptor,
  FileFieldsInterceptor,
  FileInterceptor,
  FilesInterceptor,
  NoFilesInterceptor,
} from './uploads/interceptors.ts';
export {
  MulterModule,
  type MulterModuleAsyncOptions,
  type MulterModuleOptions,
  type MulterOptionsFactory,
} from './uploads/multer-module.ts';
export type { MulterField, MulterOptions } from './uploads/multer-types.ts';
export { ValidateEmailPipe, ValidateLengthPipe, ValidateRangePipe } from './pipes/checks.ts';
export { ParseCommaSeparatedPipe, ParseJSONPipe } from './pipes/parse-text.ts';
export { type LetterCase, SlugifyPipe, StripHTMLPipe, TransformCasePipe, TrimPipe } from './pipes/texts.ts';
export {
  type ClassSerializerContextOptions,
  ClassSerializerInterceptor,
  type ClassSerializerInterceptorOptions,
  SerializeOptions,
} from './interceptors/class-serializer.ts';
export { AuthenticationExceptionFilter, type AuthenticationFilterOptions, AuthorizationExceptionFilter } from './filters/access.ts';
export { DatabaseExceptionFilter } from './filters/database.ts';
export { GlobalExceptionFilter, type GlobalFilterOptions } from './filters/global.ts';
export { NotFoundExceptionFilter } from './filters/not-found.ts';
export { FileUploadExceptionFilter } from './filters/upload.ts';
export { CacheModule } from './caching/cache-module.ts';
export { CACHE_KEY_METADATA, CACHE_MANAGER, CACHE_MODULE_OPTIONS, CACHE_TTL_METADATA, CacheKey, CacheTTL } from './caching/decorators.ts';
export { MemoryCache, MemoryCache as Cache, type MemoryCacheOptions } from '../app/caching/memory-cache.ts';
export { CacheInterceptor } from './interceptors/cache.ts';
export type { CacheInterceptorOptions } from './interceptors/cache-options.ts';
export { LoggingInterceptor } from './interceptors/logging.ts';
export {
  Page,
  type PageMeta,
  type PageRequest,
  type Paginated,
  PaginationInterceptor,
  type PaginationOptions,
} from './interceptors/pagination.ts';
export { RateLimitInterceptor } from './interceptors/rate-limit.ts';
export { SanitizeInterceptor, type SanitizeOptions } from './interceptors/sanitize.ts';
export {
  StandardSchemaSerializerInterceptor,
  type StandardSchemaSerializerInterceptorOptions,
} from './interceptors/standard-schema-serializer.ts';
export { TimeoutInterceptor } from './interceptors/timeout.ts';
export { ResponseInterceptor, TransformInterceptor } from './interceptors/transform.ts';
export { SanitizePipe } from './pipes/sanitize.ts';
export { SkipThrottle, Throttle, type ThrottleLimit } from './throttling/decorators.ts';
export { type ThrottlerAsyncOptions, ThrottlerGuard, ThrottlerModule, type ThrottlerModuleOptions } from './throttling/throttler-module.ts';
export { ThrottlerException, type ThrottlerOptions } from './throttling/throttler.ts';
export { ConsoleLogger, type ConsoleLoggerOptions } from './logging/console-logger.ts';
export { Logger } from './logging/logger.ts';
export { CommonDTO } from './dto/common-dto.ts';
export { DTO } from './dto/dto.ts';
export type { DtoObjectOptions, DtoOptions, Static, TOptional, TSchema } from './dto/dto-types.ts';
export { compression, type CompressionEncoding, type CompressionOptions } from './wynk/compression.ts';
export { WynkFactory, WynkFramework, type WynkOptions } from './wynk/framework.ts';
export { getTableToken, InjectModel, InjectTable, registerModels, registerTables } from './wynk/tables.ts';
export { Use } from './wynk/use.ts';
export type { UseFunction } from './pipeline/uses.ts';
export {
  AlreadyExistsException,
  type ErrorFormatter,
  inject,
  injectable,
  type InterceptorContext,
  Singleton,
  singleton,
  TooManyRequestsException,
  type WynkExceptionFilter,
  type WynkInterceptor,
  type WynkPipeTransform,
} from './wynk/names.ts';
