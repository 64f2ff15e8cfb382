// As many handlers as `ROUTES` says, each a method of its own. Written out they would be methods with
// decorators; here the same decorators are applied in a loop.
import { Controller, Get, Param } from 'wynkjs';

@Controller('/')
export class RoutesController {}

const count = Number(process.env.ROUTES ?? 1000);
for (let route = 0; route < count; route += 1) {
  const method = `findOne${route}`;
  const descriptor = { configurable: true, writable: true, value: (name: string) => ({ route, name }) };
  Object.defineProperty(RoutesController.prototype, method, descriptor);
  Param('name')(RoutesController.prototype, method, 0);
  Get(`route${route}/:name`)(RoutesController.prototype, method, descriptor);
}
