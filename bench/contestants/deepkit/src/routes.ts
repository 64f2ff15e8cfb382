// As many routes as `ROUTES` says, each with a handler of its own.
import { HttpRouterRegistry } from '@deepkit/http';

export function define(router: HttpRouterRegistry) {
  const count = Number(process.env.ROUTES ?? 1000);
  for (let route = 0; route < count; route += 1) {
    router.get(`/route${route}/:name`, (name: string) => ({ route, name }));
  }
}
