/** The request methods Node knows, in lower case as routers name them. A constant of the process. */
import { METHODS } from '../../http/index.ts';

/** Lower-case method names, in Node's order. */
export const methods: readonly string[] = METHODS.map((method) => method.toLowerCase());

/** `req.method` in lower case; anything that is not a string stays what it is. */
export function toLowerMethod(method: unknown): string {
  switch (method) {
    case 'GET':
      return 'get';
    case 'POST':
      return 'post';
    case 'HEAD':
      return 'head';
    default:
      return typeof method === 'string' ? method.toLowerCase() : (method as string);
  }
}
