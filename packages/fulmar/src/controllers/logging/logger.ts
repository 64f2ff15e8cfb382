/**
 * `Logger`: what classes of an application log by. It writes to the logger that the application was given, or to the
 * console; as Nest's it is one for the process.
 */
import { Injectable, Optional } from '../decorators/modules.ts';
import { KEYS } from '../metadata/keys.ts';
import { define } from '../metadata/reflect.ts';
import type { LoggerService, LogLevel } from '../logger.ts';
import { ConsoleLogger } from './console-logger.ts';

/** Messages that wait for a logger; with more of them it is waited no longer. */
const WAITING_MAX = 10_000;

export class Logger implements LoggerService {
  /** Null: to the console, with levels. */
  static #given: LoggerService | false | null = null;
  static #levels: readonly LogLevel[] | undefined;
  /** Null: messages are written at once. */
  static #waiting: (() => void)[] | null = null;
  protected context: string | undefined;
  readonly #options: { timestamp?: boolean };
  #own: ConsoleLogger | null = null;

  constructor(context?: string, options: { timestamp?: boolean } = {}) {
    this.context = context;
    this.#options = options;
  }

  /** False: nothing is logged. A list: of these levels. */
  static overrideLogger(logger: LoggerService | readonly LogLevel[] | boolean): void {
    if (Array.isArray(logger)) Logger.#levels = logger as readonly LogLevel[];
    Logger.#given = Array.isArray(logger) || logger === true ? null : (logger as LoggerService | false);
  }

  /** From now on messages wait for `flush()`: until there is a logger that is made by the application. */
  static attachBuffer(): void {
    Logger.#waiting ??= [];
  }
  /** Writes what waits, and what comes from now on at once. */
  static flush(): void {
    const waiting = Logger.#waiting ?? [];
    Logger.#waiting = null;
    for (const tell of waiting) tell();
  }
  static #tell(tell: () => void): void {
    if (Logger.#waiting === null) return tell();
    Logger.#waiting.push(tell);
    if (Logger.#waiting.length >= WAITING_MAX) Logger.flush();
  }

  static isLevelEnabled(level: LogLevel): boolean {
    if (Logger.#given === false) return false;
    return new ConsoleLogger({ ...(Logger.#levels && { logLevels: Logger.#levels }) }).isLevelEnabled(level);
  }

  get localInstance(): LoggerService | undefined {
    if (Logger.#given !== null) return Logger.#given === false ? undefined : Logger.#given;
    this.#own ??= new ConsoleLogger(this.context, this.#options);
    if (Logger.#levels !== undefined) this.#own.setLogLevels(Logger.#levels);
    return this.#own;
  }

  #more(given: readonly unknown[]): unknown[] {
    return this.context === undefined || this.context === '' ? [...given] : [...given, this.context];
  }

  log(message: any, ...more: any[]): void {
    Logger.#tell(() => this.localInstance?.log(message, ...this.#more(more)));
  }
  /** With a context the stack has its place, also where there is none. */
  error(message: any, ...more: any[]): void {
    const isEmpty = more.length === 0 && this.context !== undefined && this.context !== '';
    Logger.#tell(() => this.localInstance?.error(message, ...this.#more(isEmpty ? [undefined] : more)));
  }
  warn(message: any, ...more: any[]): void {
    Logger.#tell(() => this.localInstance?.warn(message, ...this.#more(more)));
  }
  debug(message: any, ...more: any[]): void {
    Logger.#tell(() => this.localInstance?.debug?.(message, ...this.#more(more)));
  }
  verbose(message: any, ...more: any[]): void {
    Logger.#tell(() => this.localInstance?.verbose?.(message, ...this.#more(more)));
  }
  fatal(message: any, ...more: any[]): void {
    Logger.#tell(() => this.localInstance?.fatal?.(message, ...this.#more(more)));
  }

  static readonly #ofAll = new Logger();
  static log(message: any, ...more: any[]): void {
    Logger.#ofAll.log(message, ...more);
  }
  static error(message: any, ...more: any[]): void {
    Logger.#ofAll.error(message, ...more);
  }
  static warn(message: any, ...more: any[]): void {
    Logger.#ofAll.warn(message, ...more);
  }
  static debug(message: any, ...more: any[]): void {
    Logger.#ofAll.debug(message, ...more);
  }
  static verbose(message: any, ...more: any[]): void {
    Logger.#ofAll.verbose(message, ...more);
  }
  static fatal(message: any, ...more: any[]): void {
    Logger.#ofAll.fatal(message, ...more);
  }
}

Injectable()(Logger);
define(KEYS.parameterTypes, [String, Object], Logger);
for (const index of [0, 1]) Optional()(Logger, undefined as never, index);
