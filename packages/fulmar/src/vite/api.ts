/**
 * The app within Vite's dev server: loaded by a graph of modules of its own with the first request, loaded again
 * when one of its sources has changed. What goes wrong is told in the terminal and on the page.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { App } from '../app/index.ts';
import { LoadedApp } from './loaded-app.ts';
import { appOf } from './exported-app.ts';
import { Overlay } from './overlay.ts';
import type { DevServer, ModuleRunner } from './vite-types.ts';
import { forwardUpgrade } from './upgrade.ts';

export class Api {
  readonly #entry: string;
  readonly #runner: ModuleRunner;
  readonly #overlay: Overlay;
  #loaded: Promise<LoadedApp> | null = null;
  /** Somebody has asked it: a server whose pages ask nothing needs no app. */
  #isAsked = false;
  #isClosed = false;

  constructor(server: DevServer, entry: string, runner: ModuleRunner) {
    this.#entry = entry;
    this.#runner = runner;
    this.#overlay = new Overlay(server);
  }

  answer(req: IncomingMessage, res: ServerResponse): void {
    this.#current().then(
      (loaded) => {
        if (!res.destroyed) loaded.answer(req, res);
      },
      (error: unknown) => {
        res.statusCode = 500;
        res.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
        res.end(
          JSON.stringify({ title: 'The app could not be loaded', status: 500, detail: stripVTControlCharacters((error as Error).message) }),
        );
      },
    );
  }

  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#current()
      .then((loaded) => loaded.port())
      .then(
        (port) => forwardUpgrade(req, socket, head, port),
        () => socket.end('HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
      );
  }

  /** At once, and not with the next request: what is wrong is told to who has written it. */
  reload(): void {
    if (!this.#isAsked) return;
    void this.#end();
    this.#current().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  #current(): Promise<LoadedApp> {
    this.#isAsked = true;
    if (this.#loaded !== null) return this.#loaded;
    const loading = this.#load();
    this.#loaded = loading;
    loading.then(
      () => {
        if (this.#loaded === loading) this.#overlay.clear();
      },
      (error: unknown) => {
        // What it was loaded from has changed since: that is told of the next one.
        if (this.#loaded !== loading) return;
        this.#overlay.tell(error);
        // What was wrong may be elsewhere than in its sources: the next request tries again.
        this.#loaded = null;
        this.#runner.clearCache();
      },
    );
    return loading;
  }

  async #end(): Promise<void> {
    const before = this.#loaded;
    this.#loaded = null;
    this.#runner.clearCache();
    const loaded = await before?.catch(() => undefined);
    await loaded?.end().catch((error: unknown) => this.#overlay.tell(error));
  }

  async #load(): Promise<LoadedApp> {
    if (this.#isClosed) throw new Error('Vite is closing.');
    const app: App = appOf(await this.#runner.import(this.#entry), this.#entry);
    this.#overlay.follow(app);
    await app.start();
    return new LoadedApp(app);
  }
}
