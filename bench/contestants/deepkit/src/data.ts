// A large list, compressed by the framework's option `compression`, for which it names 6 as the value to
// start with; it is off by default. Read once, serialised for each request.
import { readFileSync } from 'node:fs';
import { HttpRouterRegistry } from '@deepkit/http';

export const framework = { compression: 6 };

export function define(router: HttpRouterRegistry) {
  const data = JSON.parse(readFileSync(process.env.DATA_FILE!, 'utf8'));
  router.get('/data', () => data);
}
