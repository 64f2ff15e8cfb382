/**
 * The arguments of a request as `switchToRpc()` and `switchToWs()` name them: by their places, as in Nest, where the
 * transport is another.
 */
import type { ArgumentsHost, RpcArgumentsHost, WsArgumentsHost } from '../nest-types.ts';

type Arguments = Pick<ArgumentsHost, 'getArgs' | 'getArgByIndex'>;

export const toRpc = (host: Arguments): RpcArgumentsHost => ({
  getData: () => host.getArgByIndex(0),
  getContext: () => host.getArgByIndex(1),
});

export const toWs = (host: Arguments): WsArgumentsHost => ({
  getClient: () => host.getArgByIndex(0),
  getData: () => host.getArgByIndex(1),
  getPattern: () => host.getArgs().at(-1) as string,
});
