/** A request by `XMLHttpRequest`, which alone tells in a browser how much of a content has gone. Gives what `fetch` would. */
import type { ClientOptions } from './client-types.ts';
import type { PartsProgress } from './parts.ts';

/** As far as it is used: hosts that are no browser have no types of it. */
interface Xhr {
  responseType: string;
  withCredentials: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly response: unknown;
  readonly upload: {
    addEventListener(type: 'progress', listener: (event: { readonly loaded: number; readonly total: number }) => void): void;
  };
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  addEventListener(type: 'abort' | 'error' | 'load', listener: () => void): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
}

/** Statuses whose replies have no content. */
const BARE: ReadonlySet<number> = new Set([204, 205, 304]);

export const xhrClass = (): (new () => Xhr) | undefined => (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest;

export function uploadByXhr(XhrClass: new () => Xhr, onProgress: (progress: PartsProgress) => void): NonNullable<ClientOptions['fetch']> {
  return (url, { method = 'POST', headers, body, signal, credentials }) =>
    new Promise((resolve, reject) => {
      const request = new XhrClass();
      const stop = (): void => request.abort();
      const fail = (): void => {
        signal?.removeEventListener('abort', stop);
        reject(new TypeError('The request failed.'));
      };
      request.open(method, url);
      request.responseType = 'blob';
      request.withCredentials = credentials === 'include';
      for (const [name, value] of Object.entries(headers as Record<string, string>)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded: sent, total }) => onProgress({ sent, total }));
      request.addEventListener('error', fail);
      request.addEventListener('abort', fail);
      request.addEventListener('load', () => {
        signal?.removeEventListener('abort', stop);
        const { status, statusText } = request;
        resolve(new Response(BARE.has(status) ? null : (request.response as Blob), { status, statusText, headers: fieldsOf(request) }));
      });
      signal?.addEventListener('abort', stop);
      if (signal?.aborted === true) return fail();
      request.send(body);
    });
}

function fieldsOf(request: Xhr): [string, string][] {
  const lines = request.getAllResponseHeaders().split('\r\n');
  return lines
    .filter((line) => line.includes(':'))
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
}
