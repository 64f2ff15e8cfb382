/**
 * The options of an application: Nest's of `NestFactory.create()`, and those of `createApplication()`.
 */
import { type Checks, checkOptions, isBoolean } from '../../app/checked-options.ts';
import type { TrustProxy } from '../../app/index.ts';
import type { LoggerService, LogLevel } from '../logger.ts';
import type { ValidationErrorFormatter } from '../pipes/validation-errors.ts';
import type { DynamicModule, Provider, RouteInfo, Type } from '../nest-types.ts';

export interface GlobalPrefixOptions {
  exclude?: (string | RouteInfo)[];
}

export interface CorsOptions {
  readonly [option: string]: unknown;
}

/** Options for each request: `cors` calls it with one. */
export type CorsOptionsDelegate<Request = any> = (request: Request, callback: (error: Error | null, options?: CorsOptions) => void) => void;

export interface NestApplicationOptions {
  /** False: none; a list: of these levels; an object with `log`, `error`, `warn`. */
  logger?: LoggerService | LogLevel[] | false;
  /** Messages wait for `app.useLogger()`, or for the end of the start. */
  bufferLogs?: boolean;
  /** False: they wait for `app.flushLogs()`, however the start ends. */
  autoFlushLogs?: boolean;
  /** What is wrong at the start is thrown, as Nest does with `false`. */
  abortOnError?: false;
  cors?: boolean | CorsOptions | CorsOptionsDelegate;
  /** False: nobody reads contents but the application. */
  bodyParser?: boolean;
  /** `req.rawBody` has the bytes. */
  rawBody?: boolean;
  /** Which proxies are believed: see `createApp()`. */
  trustProxy?: TrustProxy;
}

export interface ApplicationOptions extends NestApplicationOptions {
  modules?: (Type<any> | DynamicModule)[];
  controllers?: Type<any>[];
  providers?: Provider[];
  globalPrefix?: string | (GlobalPrefixOptions & { prefix: string });
  /** How what does not fit a schema is told. Default: a list of messages, as Nest's pipes tell it. */
  validationErrorFormatter?: ValidationErrorFormatter;
}

export const isLogger = (value: unknown): boolean =>
  value === false ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string')) ||
  typeof (value as { error?: unknown } | null)?.error === 'function';
const isList = (value: unknown): boolean => Array.isArray(value);

const CHECKS: Checks<NestApplicationOptions> = {
  logger: [isLogger, "false, a list of levels such as ['error', 'warn'], or an object with error(), warn() and log()"],
  bufferLogs: isBoolean,
  autoFlushLogs: isBoolean,
  abortOnError: [(value) => value === false, 'false: what is wrong at the start is thrown, and who does not catch it ends'],
  cors: [
    (value) => typeof value === 'boolean' || typeof value === 'function' || (typeof value === 'object' && value !== null),
    'true, options of CORS, or a function that gives them',
  ],
  bodyParser: isBoolean,
  rawBody: isBoolean,
  trustProxy: [() => true, 'what createApp() takes'],
};

const ALL_CHECKS: Checks<ApplicationOptions> = {
  ...CHECKS,
  modules: [isList, 'a list of modules'],
  controllers: [isList, 'a list of controllers'],
  providers: [isList, 'a list of providers'],
  globalPrefix: [
    (value) => typeof value === 'string' || typeof (value as { prefix?: unknown } | null)?.prefix === 'string',
    'a path, or { prefix, exclude }',
  ],
  validationErrorFormatter: [
    (value) => typeof (value as { format?: unknown } | null)?.format === 'function',
    'an object with format(errors, { statusCode, error }), such as new FormatErrorFormatter()',
  ],
};

/** @throws TypeError for an option that is none, or is something else than it may be */
export function checkCreate(options: NestApplicationOptions, who = 'NestFactory.create'): void {
  checkOptions(who, options, CHECKS);
}

export function checkApplication(options: ApplicationOptions): void {
  checkOptions('createApplication', options, ALL_CHECKS);
}
