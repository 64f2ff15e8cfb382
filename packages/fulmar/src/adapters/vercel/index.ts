/**
 * `fulmar/adapters/vercel`: an application as a function of Vercel's, of its Node runtime (`(req, res)` or a
 * `Request`) and of its edge runtime (a `Request`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterOptions, Application } from '../application-types.ts';
import { toAnswering } from '../application.ts';
import { toFetchDoor } from '../fetch-door.ts';
import { toMessageDoor } from '../message-door.ts';
import { checkOptions } from '../options.ts';
import { platformOf } from '../platform.ts';

export interface VercelContext {
  waitUntil?(promise: Promise<unknown>): void;
}

export interface VercelPlatform {
  /** Of the edge runtime, and of functions that are called with a `Request`. */
  readonly context?: VercelContext;
  /** Of functions that are called with messages. */
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
}

export interface VercelFunction {
  (request: Request, context?: VercelContext): Promise<Response>;
  (req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** For `export default { fetch }`, and for `export const GET`. */
  readonly fetch: (request: Request, context?: VercelContext) => Promise<Response>;
}

const WHO = 'vercel()';

/** `export default vercel(app)`. @throws TypeError for what is no application, and for options that are none */
export function vercel(application: Application, options: AdapterOptions = {}): VercelFunction {
  checkOptions(WHO, options);
  const answering = toAnswering(application, { who: WHO, ...options });
  const door = toFetchDoor(answering);
  const messages = toMessageDoor(answering);
  const fetch = (request: Request, context: VercelContext = {}): Promise<Response> =>
    // Vercel sets it, whatever the client has sent.
    door(request, { remoteAddress: request.headers.get('x-real-ip') ?? undefined, platform: { context } }, [context]);
  const call = (given: Request | IncomingMessage, second?: VercelContext | ServerResponse): Promise<Response | void> => {
    if (given instanceof Request) return fetch(given, second as VercelContext | undefined);
    const { url = '/', headers } = given;
    return messages(given, second as ServerResponse, {
      content: null,
      remoteAddress: headers['x-real-ip'] as string | undefined,
      secure: headers['x-forwarded-proto'] === 'https',
      target: url,
    });
  };
  return Object.assign(call, { fetch }) as VercelFunction;
}

/** What Vercel gave beside a request. */
export function platform(from: object): VercelPlatform {
  return platformOf(from, WHO) as VercelPlatform;
}

export default { vercel, platform };
