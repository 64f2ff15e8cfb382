/**
 * `ParseUUIDPipe`: a UUID, of one version or of any, left as it is.
 */
import { Injectable } from '../decorators/modules.ts';
import type { ArgumentMetadata, PipeTransform } from '../nest-types.ts';
import { isNil, type ParsingOptions, rejectionOf } from './rejection.ts';

export type UUIDVersion = '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | 'all';
export interface ParseUUIDPipeOptions extends ParsingOptions {
  /** Default: all, with the nil and the max UUID. */
  version?: UUIDVersion;
}

const patternOf = (version: string): string => `[0-9A-F]{8}-[0-9A-F]{4}-${version}[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}`;
const SPECIAL = '00000000-0000-0000-0000-000000000000|FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF';
const VERSIONS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

export class ParseUUIDPipe implements PipeTransform<string> {
  protected static uuidRegExps: Readonly<Record<string, RegExp>> = {
    ...Object.fromEntries(VERSIONS.map((version) => [version, new RegExp(`^${patternOf(version)}$`, 'i')])),
    // RFC 9562, sections 5.9 and 5.10
    all: new RegExp(`^(?:${patternOf('[1-8]')}|${SPECIAL})$`, 'i'),
  };
  protected readonly options: ParseUUIDPipeOptions;
  protected exceptionFactory: (error: string) => any;

  /** @throws TypeError for a version that there is not */
  constructor(options: ParseUUIDPipeOptions = {}) {
    this.options = options;
    this.exceptionFactory = rejectionOf(this, options);
    const { version } = options;
    if (version !== undefined && !Object.hasOwn(ParseUUIDPipe.uuidRegExps, version))
      throw new TypeError(`version of ${this.constructor.name} is '1' to '8' or 'all', and this is ${String(version)}.`);
  }

  async transform(value: string, _metadata?: ArgumentMetadata): Promise<string> {
    const { version, optional } = this.options;
    if (isNil(value) && optional === true) return value;
    if (this.isUUID(value, version)) return value;
    const which = version !== undefined && version !== 'all' ? ` v ${version}` : '';
    throw this.exceptionFactory(`Validation failed (uuid${which} is expected)`);
  }

  protected isUUID(value: unknown, version: string = 'all'): boolean {
    if (typeof value !== 'string') throw this.exceptionFactory('The value passed as UUID is not a string');
    return ParseUUIDPipe.uuidRegExps[version]?.test(value) ?? false;
  }
}

Injectable()(ParseUUIDPipe);
