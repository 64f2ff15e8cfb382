/**
 * An application of any kind becomes what answers exchanges: the first step of every adapter. It never
 * listens.
 */
import { type App, createApp } from '../app/index.ts';
import { type FetchFunction, recognise } from '../app/mount.ts';
import type { Exchange } from '../exchange/types.ts';
import type { AdapterOptions, Answer, Answering } from './application-types.ts';
import { listener as listenerPart } from './lazy.ts';

/** Of this copy of the package or of another one. */
function isApp(given: unknown): given is App {
  if (typeof given !== 'object' || given === null) return false;
  const { handle, start } = given as Partial<Record<string, unknown>>;
  return typeof handle === 'function' && typeof start === 'function';
}

export interface AnsweringOptions extends AdapterOptions {
  /** Whose errors these are: `lambda()`. */
  readonly who: string;
  /** Given each request of messages' kind before the application. */
  readonly prepare?: (req: object, exchange: Exchange) => void;
}

/** @throws TypeError for what is no application */
export function toAnswering(given: unknown, { who, style, prepare }: AnsweringOptions): Answering {
  if (isApp(given)) return { answer: (exchange) => given.handle(exchange), fetch: null, ready: startOnce(given) };
  const { fetch, listener } = recognise(given, style, who);
  if (fetch !== undefined) return { answer: answerByFetch(fetch), fetch, ready: () => null };
  return { answer: listenerPart()(listener, prepare), fetch: null, ready: () => null };
}

/** A fetch function as the one route of an app; the platform is its second argument. */
function answerByFetch(fetch: FetchFunction): Answer {
  const app = createApp();
  app.all('/*', (c) => (fetch as (request: Request, platform: unknown) => unknown)(c.request, c.exchange.platform));
  return (exchange) => app.handle(exchange);
}

function startOnce(app: App): () => Promise<void> | null {
  let isReady = false;
  let starting: Promise<void> | null = null;
  const start = async (): Promise<void> => {
    try {
      await app.start();
      isReady = true;
    } finally {
      starting = null;
    }
  };
  return () => (isReady ? null : (starting ??= start()));
}
