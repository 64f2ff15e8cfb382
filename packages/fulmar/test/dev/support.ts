/** An inspector for one test with what it prints, servers in front of it, and requests with any fields. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Inspector, type InspectorOptions, startInspector } from '../../src/dev/index.ts';

/** The folder of this package: sources of tests are sources of the project then. */
export const root = join(import.meta.dirname, '..', '..');

export interface Inspected {
  readonly inspector: Inspector;
  /** What the terminal has been shown so far. */
  printed(): string;
}

/** In place of the test runner's own listeners, for one test. */
export function onUncaught(t: TestContext, listener: (error: unknown) => void): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    const before = process.listeners(event as 'uncaughtException');
    process.removeAllListeners(event);
    process.on(event, listener);
    t.after(() => {
      process.removeAllListeners(event);
      for (const one of before) process.on(event as 'uncaughtException', one);
    });
  }
}

export function inspect(t: TestContext, options: Partial<InspectorOptions> = {}): Inspected {
  let printed = '';
  const inspector = startInspector({ root, output: { write: (text) => void (printed += text) }, ...options });
  t.after(() => inspector.close());
  // As the dev server; what is no request's is a test's own.
  onUncaught(t, (error) => {
    if (!inspector.uncaught(error)) throw error;
  });
  return { inspector, printed: () => printed };
}

/** Listens and tells where; closed behind the test. */
export async function listen(t: TestContext, server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    (server as unknown as { closeAllConnections(): void }).closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function ask(port: number, path: string, { method = 'GET', headers = {} }: Asked = {}): Promise<Told> {
  return new Promise((done, fail) => {
    const asking = request({ port, path, method, host: '127.0.0.1', headers, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => void (text += piece));
      reply.on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      reply.on('error', fail);
    });
    asking.on('error', fail);
    asking.end();
  });
}

export const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** As a browser's navigation. */
export const browse = (port: number, path: string, more: Asked = {}): Promise<Told> =>
  ask(port, path, { ...more, headers: { ...BROWSER, ...more.headers } });

/** The token of pages of ours. */
export async function tokenOf(port: number): Promise<string> {
  const { text } = await browse(port, '/_fulmar');
  return JSON.parse(/id="fulmar-token">([^<]*)</.exec(text)?.[1] ?? '""') as string;
}

interface Row {
  readonly id: number;
  readonly method: string;
  readonly target: string;
  readonly state: string;
  readonly status: number | null;
  readonly handlersMs: number | null;
  readonly totalMs: number | null;
  readonly bytes: number | null;
  readonly error: string | null;
}

export interface State {
  readonly version: string;
  readonly broken: { readonly title: string; readonly text: string } | null;
  readonly routes: readonly { readonly method: string; readonly path: string; readonly style: string; readonly place?: string }[];
  readonly problem: string | null;
  readonly requests: readonly Row[];
}

export const stateOf = async (port: number): Promise<State> => JSON.parse((await ask(port, '/_fulmar/state')).text) as State;

/** A folder with these files, removed behind the test. */
export function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-dev-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Events of `/_fulmar/events` as they come. */
export interface EventsRead {
  /** The next one of that name; those before it are skipped. */
  next(name: string): Promise<unknown>;
  close(): void;
  /** Resolves when the server has ended them. */
  readonly ended: Promise<void>;
}

export function readEvents(port: number, query = ''): Promise<EventsRead> {
  return new Promise((done, fail) => {
    const asking = request({ port, path: `/_fulmar/events${query}`, host: '127.0.0.1', agent: false }, (reply) => {
      if (reply.statusCode !== 200) {
        reply.resume();
        fail(new Error(`status ${reply.statusCode}`));
        return;
      }
      const seen: { name: string; data: unknown }[] = [];
      let wake: () => void = () => undefined;
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => {
        text += piece;
        for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
          const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, at)) ?? [];
          seen.push({ name, data: JSON.parse(data) as unknown });
          text = text.slice(at + 2);
        }
        wake();
      });
      reply.on('error', () => undefined);
      const ended = new Promise<void>((end) => void reply.on('close', () => end()));
      const next = async (name: string): Promise<unknown> => {
        for (;;) {
          const at = seen.findIndex((one) => one.name === name);
          if (at >= 0) return seen.splice(0, at + 1).at(-1)?.data;
          await new Promise<void>((resolve) => void (wake = resolve));
        }
      };
      done({ next, ended, close: () => void asking.destroy() });
    });
    asking.on('error', fail);
    asking.end();
  });
}
