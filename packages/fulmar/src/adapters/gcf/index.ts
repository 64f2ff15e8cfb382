/**
 * `fulmar/adapters/gcf`: an application as an HTTP function of Google Cloud Functions and Cloud Run
 * functions, `http('api', gcf(app))`, whose content the framework has read before (`rawBody`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterOptions, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { toMessageDoor } from '../message-door.ts';
import { checkOptions } from '../options.ts';
import { platformOf } from '../platform.ts';

/** What the functions framework adds to a request, which is one of Express. */
export interface GcfRequest extends IncomingMessage {
  readonly rawBody?: Uint8Array;
  readonly originalUrl?: string;
}

export interface GcfPlatform {
  readonly req: GcfRequest;
  readonly res: ServerResponse;
}

export type GcfFunction = (req: GcfRequest, res: ServerResponse) => Promise<void>;

const WHO = 'gcf()';

/** @throws TypeError for what is no application, and for options that are none */
export function gcf(application: Application, options: AdapterOptions = {}): GcfFunction {
  checkOptions(WHO, options);
  const door = toMessageDoor(toAnswering(application, { who: WHO, ...options }));
  return (req, res) =>
    door(req, res, {
      content: req.rawBody ?? null,
      remoteAddress: clientOf(req),
      secure: req.headers['x-forwarded-proto'] === 'https',
      target: req.originalUrl ?? req.url ?? '/',
    });
}

/** Google's front end is the last to say who asks; what stands before it is the client's word. */
function clientOf({ headers }: IncomingMessage): string | undefined {
  return [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() || undefined;
}

/** The framework's own request and response. */
export function platform(from: object): GcfPlatform {
  return platformOf(from, WHO) as GcfPlatform;
}

export default { gcf, platform };
