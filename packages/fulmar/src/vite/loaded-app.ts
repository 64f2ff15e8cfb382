/**
 * The app as one state of its sources made it: takes requests of Vite's server, and ends when it is out of date,
 * behind the last reply that it still gives.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app/index.ts';
import { messageExchange } from '../exchange/message-exchange.ts';
import { requestOf } from './request.ts';

/** How long what it still answers may take: streams have no end of their own, and their clients ask again. */
const GRACE_MS = 2000;

export class LoadedApp {
  readonly #app: App;
  readonly #open = new Set<ServerResponse>();
  #port: Promise<number> | null = null;
  #whenIdle: (() => void) | null = null;

  constructor(app: App) {
    this.#app = app;
  }

  answer(req: IncomingMessage, res: ServerResponse): void {
    this.#open.add(res);
    res.once('close', () => {
      this.#open.delete(res);
      if (this.#open.size === 0) this.#whenIdle?.();
    });
    this.#app.handle(messageExchange(requestOf(req), res, { target: targetOf(req) }));
  }

  /** A port of the app's own, for upgrades: a WebSocket is the engine's. */
  port(): Promise<number> {
    return (this.#port ??= this.#app.listen({ port: 0, host: '127.0.0.1' }).then((server) => (server.address() as { port: number }).port));
  }

  async end(): Promise<void> {
    if (this.#open.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
        setTimeout(resolve, GRACE_MS).unref();
      });
    }
    for (const res of this.#open) res.destroy();
    await this.#app.close();
  }
}

/** Middleware of others may have taken something off it. */
const targetOf = (req: IncomingMessage & { originalUrl?: string }): string => req.originalUrl ?? req.url ?? '/';
