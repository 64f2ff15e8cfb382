/**
 * `fulmar/adapters/bun`: an application as what `Bun.serve` takes, or a file exports by default for Bun.
 */
import type { AdapterOptions, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { toFetchDoor } from '../fetch-door.ts';
import { checkOptions } from '../options.ts';
import { platformOf } from '../platform.ts';

/** What is used of Bun's server. */
export interface BunServer {
  requestIP?(request: Request): { readonly address: string } | null;
}

export interface BunPlatform {
  readonly server: BunServer;
}

export interface BunHandler {
  fetch(request: Request, server?: BunServer): Promise<Response>;
}

const WHO = 'bun()';

/** `Bun.serve(bun(app))`. @throws TypeError for what is no application, and for options that are none */
export function bun(application: Application, options: AdapterOptions = {}): BunHandler {
  checkOptions(WHO, options);
  const door = toFetchDoor(toAnswering(application, { who: WHO, ...options }));
  return {
    fetch: (request, server = {}) =>
      door(request, { remoteAddress: server.requestIP?.(request)?.address, platform: { server } satisfies BunPlatform }, [server]),
  };
}

/** The server that a request came to. */
export function platform(from: object): BunPlatform {
  return platformOf(from, WHO) as BunPlatform;
}

export default { bun, platform };
