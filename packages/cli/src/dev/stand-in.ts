/**
 * A server that shows why there is none: where the application is to listen, as long as it cannot be loaded. It gives way
 * when the application listens.
 */
import type { Server } from 'node:http';
import type { Hot } from '../../../fulmar/src/hot/index.ts';
import { readGlobal } from '../../../fulmar/src/host/globals.ts';
import type { Application } from './application-types.ts';

type Http = typeof import('node:http');

export class StandIn {
  readonly #application: Application;
  readonly #hot: Hot;
  readonly #http: () => Http;
  #error: unknown;
  #server: Server | null = null;

  constructor(application: Application, hot: Hot, http: () => Http) {
    this.#application = application;
    this.#hot = hot;
    this.#http = http;
  }

  /** Does nothing where somebody listens, or nobody knows where. */
  show(error: unknown): void {
    this.#error = error;
    const { target } = this.#application;
    if (target === undefined || this.#server !== null || (readGlobal('fulmar.servers')?.size ?? 0) > 0) return;
    const server = this.#http().createServer(() => {
      // The inspector answers with it, as with any error of a listener.
      throw this.#error;
    });
    this.#server = server;
    server.once('close', () => void (this.#server = null));
    server.once('error', () => void (this.#server = null));
    this.#hot.standIn(() => server.listen(target));
  }
}
