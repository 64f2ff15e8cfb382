/** Where `req._parsedUrl` is. Apart from what it does, which is loaded when somebody reads it. */
import { readParsedUrl, writeParsedUrl } from './parsed-url.ts';

/**
 * On the prototype of requests, or on one request that does not have it yet: the layer that gives it may have
 * been moved behind others.
 */
export function defineParsedUrl(target: object): void {
  Object.defineProperty(target, '_parsedUrl', {
    get(this: object) {
      return readParsedUrl(this);
    },
    set(this: object, value: object | undefined) {
      writeParsedUrl(this, value);
    },
    configurable: true,
  });
}
