/** Form content as an object, through `qs`. */
import createError from 'http-errors';
import { qs } from '../lazy.ts';
import type { BodyParser } from './json.ts';
import { type BodyOptions, normalizeOptions } from './options.ts';
import { type ReadOptions, readBody } from './read.ts';

export interface UrlencodedOptions extends BodyOptions {
  readonly extended?: boolean;
  readonly parameterLimit?: number;
  readonly charsetSentinel?: boolean;
  readonly interpretNumericEntities?: boolean;
  readonly depth?: number;
}

const DEFAULT_PARAMETERS_MAX = 1000;
const DEFAULT_DEPTH_MAX = 32;
/** Arrays of an extended body may have at least this many items. */
const ARRAY_ITEMS = 100;

export function createUrlencodedParser(options?: UrlencodedOptions): BodyParser {
  const common = normalizeOptions(options, 'application/x-www-form-urlencoded');
  if (common.defaultCharset !== 'utf-8' && common.defaultCharset !== 'iso-8859-1') {
    throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1');
  }
  const readOptions: ReadOptions = {
    ...common,
    parse: createParse(options),
    isValidCharset: (charset) => charset === 'utf-8' || charset === 'iso-8859-1',
  };
  return function urlencodedParser(req, res, next) {
    readBody(req, res, next, readOptions);
  };
}

function createParse(options: UrlencodedOptions | undefined): (body: string, charset: string | null) => unknown {
  const isExtended = Boolean(options?.extended);
  let parameterLimit = options?.parameterLimit === undefined ? DEFAULT_PARAMETERS_MAX : options.parameterLimit;
  const wantedDepth = options?.depth === undefined ? DEFAULT_DEPTH_MAX : options.depth;
  const depth = isExtended ? wantedDepth : 0;
  if (isNaN(parameterLimit) || parameterLimit < 1) {
    throw new TypeError('option parameterLimit must be a positive number');
  }
  if (isNaN(depth) || depth < 0) throw new TypeError('option depth must be a zero or a positive number');
  if (isFinite(parameterLimit)) parameterLimit |= 0;

  return (body, charset) => {
    if (!body.length) return {};
    const count = countParameters(body, parameterLimit);
    if (count === undefined) throw createError(413, 'too many parameters', { type: 'parameters.too.many' });
    try {
      return qs().parse(body, {
        allowPrototypes: true,
        arrayLimit: isExtended ? Math.max(ARRAY_ITEMS, count) : count,
        depth,
        charsetSentinel: options?.charsetSentinel,
        interpretNumericEntities: options?.interpretNumericEntities,
        charset: charset as 'utf-8' | 'iso-8859-1',
        parameterLimit,
        strictDepth: true,
      });
    } catch (err) {
      if (!(err instanceof RangeError)) throw err;
      throw createError(400, 'The input exceeded the depth', { type: 'querystring.parse.rangeError' });
    }
  };
}

/** Number of parameters; `undefined` when there are more than the limit. */
export function countParameters(body: string, limit: number): number | undefined {
  let count = 0;
  let index = -1;
  do {
    count++;
    if (count > limit) return undefined;
    index = body.indexOf('&', index + 1);
  } while (index !== -1);
  return count;
}
