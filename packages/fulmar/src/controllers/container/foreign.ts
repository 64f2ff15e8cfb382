/**
 * What belongs to another Nest, told at start: classes of the package `@nestjs/core` among what is injected, and what other
 * packages of Nest serve beside HTTP. Without it, gateways and handlers of messages would be there and never called.
 */
import { readOwn } from '../metadata/reflect.ts';
import type { Type } from '../nest-types.ts';
import { ContainerError } from './container-error.ts';

/** Metadata of classes and methods, by which those packages find them. */
const OF_GATEWAYS = 'websockets:is_gateway';
const OF_METHODS = 'microservices:pattern';

const HTTP_ONLY =
  'fulmar/controllers serves HTTP. Serve it beside the application (WebSockets: app.app.ws(), or `ws` and Socket.IO on app.getHttpServer()), ' +
  'or keep @nestjs/core in package.json: the application then runs on Nest itself, on fulmar/express';

/** @throws ContainerError for a class that nobody would call */
export function refuseForeign(type: unknown, module: string): void {
  if (typeof type !== 'function') return;
  if (readOwn(OF_GATEWAYS, type) === undefined) return;
  throw new ContainerError(`${type.name} of ${module} is a gateway of @nestjs/websockets, and ${HTTP_ONLY}.`);
}

/** The same for a method of a controller. @throws ContainerError */
export function refuseForeignMethod(controller: Type, name: string, method: Function): void {
  if (readOwn(OF_METHODS, method) === undefined) return;
  throw new ContainerError(`${controller.name}.${name}() handles messages of @nestjs/microservices, and ${HTTP_ONLY}.`);
}

/** What to do where a class of ours has the name of this one and is another. */
export function otherNest(token: unknown, ours: Iterable<unknown>): string | undefined {
  if (typeof token !== 'function') return undefined;
  const isNamesake = [...ours].some((own) => typeof own === 'function' && own !== token && own.name === token.name);
  if (!isNamesake) return undefined;
  return (
    `It is that of the package @nestjs/core, while the application runs on fulmar/controllers. Packages beside Nest get ours where ` +
    `package.json declares no @nestjs/core: take it out, with @nestjs/common, @nestjs/platform-express and @nestjs/testing, and start with ` +
    '`fulmar run`, `node --import fulmar/register` or what `fulmar build` makes; not with node alone.'
  );
}
