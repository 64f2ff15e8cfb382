/** The API that query libraries are tested with, on a port of its own. */
import { createApp } from 'fulmar';
import { createClient } from 'fulmar/client';
import { mutation, query, rpc, rpcError, stream } from 'fulmar/rpc';

export interface Bird {
  readonly id: number;
  readonly name: string;
  readonly seen: Date;
}

const number = { type: 'number' } as const;
const text = { type: 'string' } as const;
const PAGE = 2;

export class Station {
  readonly birds = ['auk', 'tern', 'gull', 'petrel', 'skua'];
  /** Calls of procedures, in their order. */
  readonly calls: string[] = [];
  /** Called with each call of `wait` that is given up. */
  onAbort: () => void = () => {};

  readonly api = rpc(
    {
      birds: {
        get: query({ params: [number] }, (_c, id) => {
          this.calls.push(`get ${id}`);
          const name = this.birds[id];
          if (name === undefined) return rpcError({ type: 'no-bird', status: 404, data: { id } });
          return { id, name, seen: new Date(id) } as Bird;
        }),
        page: query({ params: [number, text] }, (_c, at, order) => {
          this.calls.push(`page ${at} ${order}`);
          return { birds: this.birds.slice(at, at + PAGE), next: at + PAGE < this.birds.length ? at + PAGE : null };
        }),
        since: query({ validateParams: false }, (_c, days: { from: Date; tags: Set<string> }) => `${+days.from} ${[...days.tags].join()}`),
        rename: mutation({ params: [number, text] }, (_c, id, name) => {
          if (name === '') return rpcError({ type: 'no-name', data: { id } });
          this.birds[id] = name;
          return name;
        }),
        add: mutation({ params: [text] }, (_c, name) => this.birds.push(name)),
      },
      nothing: query({ params: [] }, () => undefined),
      count: query({ params: [number] }, async function* (_c, count) {
        for (let at = 0; at < count; at += 1) yield at;
      }),
      sums: mutation({ params: [stream(number)] }, async function* (_c, numbers) {
        let sum = 0;
        for await (const one of numbers) yield (sum += one);
      }),
      wait: query({ params: [] }, (c) => {
        this.calls.push('wait');
        return new Promise<never>(() => c.signal.addEventListener('abort', () => this.onAbort()));
      }),
    },
    { types: true },
  );

  readonly #app = createApp().mount('/api', this.api);

  /** Where the API is. */
  async listen(): Promise<string> {
    const { url } = await this.#app.listen({ port: 0, host: '127.0.0.1' });
    return `${url}/api`;
  }

  async start() {
    return createClient<Station['api']>(await this.listen());
  }

  stop = (): Promise<void> => this.#app.close();
}

/** Goes on when it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
