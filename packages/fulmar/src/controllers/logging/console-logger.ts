/**
 * `ConsoleLogger`: messages as lines, errors to the standard error output. Its methods take what Nest's take: more
 * messages, then a context; of errors a stack before it.
 */
import { inspect } from 'node:util';
import { Injectable, Optional } from '../decorators/modules.ts';
import type { LoggerService, LogLevel } from '../logger.ts';
import { KEYS } from '../metadata/keys.ts';
import { define } from '../metadata/reflect.ts';
import { LOG_LEVELS as LEVELS } from './levels.ts';

export interface ConsoleLoggerOptions {
  /** Default: all. */
  logLevels?: readonly LogLevel[];
  /** Each line ends with the time since the one before it. */
  timestamp?: boolean;
  /** What lines begin with. Default: `Fulmar`. */
  prefix?: string;
  context?: string;
}

const LEVEL_WIDTH = 7;
const STACK = /^(.)+\n\s+at .+:\d+:\d+/;

/** Those that are named, and what is more severe than all of them. */
function isEnabled(level: LogLevel, levels: readonly LogLevel[]): boolean {
  if (levels.length === 0) return false;
  return levels.includes(level) || LEVELS.indexOf(level) >= Math.max(...levels.map((one) => LEVELS.indexOf(one)));
}

export class ConsoleLogger implements LoggerService {
  protected context: string | undefined;
  protected readonly options: ConsoleLoggerOptions;
  #levels: readonly LogLevel[];
  static #lastMs: number | null = null;

  constructor(contextOrOptions?: string | ConsoleLoggerOptions, options: ConsoleLoggerOptions = {}) {
    this.options = typeof contextOrOptions === 'object' ? contextOrOptions : options;
    this.context = typeof contextOrOptions === 'string' ? contextOrOptions : this.options.context;
    this.#levels = this.options.logLevels ?? LEVELS;
  }

  log(message: any, ...more: any[]): void {
    this.#write('log', message, more);
  }
  warn(message: any, ...more: any[]): void {
    this.#write('warn', message, more);
  }
  debug(message: any, ...more: any[]): void {
    this.#write('debug', message, more);
  }
  verbose(message: any, ...more: any[]): void {
    this.#write('verbose', message, more);
  }
  fatal(message: any, ...more: any[]): void {
    this.#write('fatal', message, more);
  }
  error(message: any, ...more: any[]): void {
    this.#write('error', message, more);
  }

  setLogLevels(levels: readonly LogLevel[]): void {
    this.#levels = levels;
  }
  setContext(context: string): void {
    this.context = context;
  }
  resetContext(): void {
    this.context = this.options.context;
  }
  isLevelEnabled(level: LogLevel): boolean {
    return isEnabled(level, this.#levels);
  }

  #write(level: LogLevel, message: unknown, more: readonly unknown[]): void {
    if (!this.isLevelEnabled(level)) return;
    const rest = [...more];
    // With a context of its own, none is given: then all are messages.
    const last = rest.at(-1);
    const context = typeof last === 'string' && !STACK.test(last) ? (rest.pop() as string) : this.context;
    const stacks = level === 'error' ? rest.filter((one) => one === undefined || (typeof one === 'string' && STACK.test(one))) : [];
    const messages = [message, ...rest.filter((one) => !stacks.includes(one))];
    const stream = level === 'error' || level === 'fatal' ? process.stderr : process.stdout;
    for (const one of messages) stream.write(this.#lineOf(level, one, context));
    for (const stack of stacks) if (stack !== undefined) stream.write(`${stack as string}\n`);
  }

  #lineOf(level: LogLevel, message: unknown, context: string | undefined): string {
    const now = Date.now();
    const since = this.options.timestamp === true && ConsoleLogger.#lastMs !== null ? ` +${now - ConsoleLogger.#lastMs}ms` : '';
    ConsoleLogger.#lastMs = now;
    const where = context === undefined || context === '' ? '' : `[${context}] `;
    const text = typeof message === 'string' ? message : inspect(message);
    const begin = `[${this.options.prefix ?? 'Fulmar'}] ${process.pid}  - ${new Date(now).toISOString()}`;
    return `${begin} ${level.toUpperCase().padStart(LEVEL_WIDTH)} ${where}${text}${since}\n`;
  }
}

Injectable()(ConsoleLogger);
define(KEYS.parameterTypes, [String, Object], ConsoleLogger);
for (const index of [0, 1]) Optional()(ConsoleLogger, undefined as never, index);
