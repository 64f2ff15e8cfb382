/**
 * `@CacheKey()` and `@CacheTTL()`, with the names and the metadata of `@nestjs/cache-manager`.
 */
import { isCount } from '../../app/checked-options.ts';
import { type CustomDecorator, SetMetadata } from '../decorators/enhancers.ts';
import type { ExecutionContext } from '../nest-types.ts';

export const CACHE_MANAGER = 'CACHE_MANAGER';
export const CACHE_MODULE_OPTIONS = 'CACHE_MODULE_OPTIONS';
export const CACHE_KEY_METADATA = 'cache_module:cache_key';
export const CACHE_TTL_METADATA = 'cache_module:cache_ttl';

type KeyFactory = (context: ExecutionContext) => string | undefined | Promise<string | undefined>;
type TtlFactory = (context: ExecutionContext) => number | Promise<number>;

/** Of a method: in the place of its URL. Replies for who says who he is are shared by a function alone. @throws TypeError */
export function CacheKey(key: string | KeyFactory): CustomDecorator {
  if (typeof key !== 'function' && (typeof key !== 'string' || key === ''))
    throw new TypeError(
      `@CacheKey() takes a text or a function (context), and this is ${typeof key === 'string' ? 'an empty text' : `of type ${typeof key}`}.`,
    );
  return SetMetadata(CACHE_KEY_METADATA, key);
}

/** Of a method or a class: milliseconds. @throws TypeError */
export function CacheTTL(ttl: number | TtlFactory): CustomDecorator {
  if (typeof ttl !== 'function' && !isCount(0, ttl))
    throw new TypeError(`@CacheTTL() takes a number of milliseconds or a function (context), and this is ${String(ttl)}.`);
  return SetMetadata(CACHE_TTL_METADATA, ttl);
}
