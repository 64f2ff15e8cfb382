/**
 * `fulmar/adapters/deno`: an application as a handler of `Deno.serve`, also on Deno Deploy.
 */
import type { AdapterOptions, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { toFetchDoor } from '../fetch-door.ts';
import { checkOptions } from '../options.ts';
import { platformOf } from '../platform.ts';

/** What is used of `Deno.ServeHandlerInfo`; of a Unix socket there is no host name. */
export interface DenoServeInfo {
  readonly remoteAddr?: { readonly hostname?: string };
  /** Rejects for a reply that did not arrive. */
  readonly completed?: Promise<void>;
}

export interface DenoPlatform {
  readonly info: DenoServeInfo;
}

const WHO = 'deno()';

/** `Deno.serve(deno(app))`. @throws TypeError for what is no application, and for options that are none */
export function deno(
  application: Application,
  options: AdapterOptions = {},
): (request: Request, info?: DenoServeInfo) => Promise<Response> {
  checkOptions(WHO, options);
  const door = toFetchDoor(toAnswering(application, { who: WHO, ...options }));
  return (request, info = {}) =>
    door(request, { remoteAddress: info.remoteAddr?.hostname, signal: signalOf(info), platform: { info } satisfies DenoPlatform }, [info]);
}

/** Deno's own signal of a request fires for replies that have arrived, too, and looking at it is told of. */
function signalOf({ completed }: DenoServeInfo): AbortSignal | undefined {
  if (completed === undefined) return undefined;
  const controller = new AbortController();
  completed.catch((reason: unknown) => controller.abort(reason));
  return controller.signal;
}

/** What Deno said of a request. */
export function platform(from: object): DenoPlatform {
  return platformOf(from, WHO) as DenoPlatform;
}

export default { deno, platform };
