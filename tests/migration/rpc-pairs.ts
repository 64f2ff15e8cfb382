/**
 * The same small API written for tRPC and for `fulmar/rpc`, asked the same by the client of each: what
 * docs/migration/from-trpc.md says of the two. Neither side needs a port.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCClient } from '@trpc/client';
import { type AnyTRPCRouter, initTRPC } from '@trpc/server';
import { fetchRequestHandler, type FetchCreateContextFnOptions } from '@trpc/server/adapters/fetch';
import { createApp } from 'fulmar';
import { createClient, type Client, type ClientOptions } from 'fulmar/client';
import type { RpcApp } from 'fulmar/rpc';

const ORIGIN = 'http://birds.example';

interface TheirOptions<Router extends AnyTRPCRouter> {
  readonly createContext?: (options: FetchCreateContextFnOptions) => Router['_def']['_config']['$types']['ctx'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly link?: 'single' | 'batch' | 'stream';
  readonly onRequest?: (request: Request) => void;
}

const LINKS = { single: httpLink, batch: httpBatchLink, stream: httpBatchStreamLink } as const;

/** A client of theirs whose requests are answered by the router. */
export function askTheirs<Router extends AnyTRPCRouter>(
  router: Router,
  { createContext, headers = {}, link = 'single', onRequest }: TheirOptions<Router> = {},
): TRPCClient<Router> {
  const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const req = new Request(url, init);
    onRequest?.(req);
    return fetchRequestHandler({ endpoint: '/trpc', req, router, ...(createContext === undefined ? {} : { createContext }) } as never);
  };
  const made = LINKS[link]({ url: `${ORIGIN}/trpc`, fetch, headers } as never);
  return createTRPCClient<Router>({ links: [made] });
}

interface OurOptions extends ClientOptions {
  readonly onRequest?: (request: Request) => void;
}

/** A client of ours whose requests are answered by the API. */
export function askOurs<Api extends RpcApp<unknown, unknown>>(api: Api, { onRequest, ...options }: OurOptions = {}): Client<Api> {
  const app = createApp({ logger: { error: () => {} } });
  app.mount('/api', api);
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    onRequest?.(request);
    return app.fetch(request);
  };
  return createClient<Api>(`${ORIGIN}/api`, { ...options, fetch });
}

interface Sides {
  readonly name: string;
  readonly theirs: () => Promise<unknown>;
  readonly ours: () => Promise<unknown>;
}
export interface Equal extends Sides {
  readonly both: unknown;
}
export interface Difference extends Sides {
  /** Of the entry in the page. */
  readonly id: string;
  readonly stock: unknown;
  readonly fulmar: unknown;
}

export function defineEqual(pairs: readonly Equal[]): void {
  for (const { name, theirs, ours, both } of pairs) {
    test(name, async () => {
      assert.deepEqual(await theirs(), both, 'theirs');
      assert.deepEqual(await ours(), both, 'ours');
    });
  }
}

export function defineDifferences(pairs: readonly Difference[]): void {
  for (const { id, name, theirs, ours, stock, fulmar } of pairs) {
    test(`${id}: ${name}`, async () => {
      assert.notDeepEqual(stock, fulmar);
      assert.deepEqual(await theirs(), stock, 'theirs');
      assert.deepEqual(await ours(), fulmar, 'ours');
    });
  }
}

/** As tRPC's guides begin; a context is `{ user }`. */
export const t = initTRPC.context<{ user?: string | undefined }>().create();

/** What is asked, and what comes of it where it fails: the status and the message. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return ['no error', await call];
  } catch (error) {
    const { status, data, message } = error as { status?: number; data?: { httpStatus?: number }; message: string };
    return [status ?? data?.httpStatus, message.startsWith('[') ? 'issues of zod' : message];
  }
}
