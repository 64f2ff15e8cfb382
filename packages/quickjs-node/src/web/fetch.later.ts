/**
 * `fetch` and its classes: undici's, as in Node, on the client of `node:http`.
 */
import body from 'undici/lib/web/fetch/index.js';
import formData from 'undici/lib/web/fetch/formdata.js';
import headers from 'undici/lib/web/fetch/headers.js';
import requests from 'undici/lib/web/fetch/request.js';
import responses from 'undici/lib/web/fetch/response.js';

interface Internals {
  readonly fetch: (input: unknown, init?: unknown) => Promise<unknown>;
}

const undici = body as Internals;

/** As Node's: one function with two parameters, whose errors have a stack of the caller's. */
export function fetch(input: unknown, init?: unknown): Promise<unknown> {
  return undici.fetch(input, init).catch((error: unknown) => {
    if (typeof error === 'object' && error !== null) Error.captureStackTrace(error, fetch);
    throw error;
  });
}

export const { FormData } = formData as { FormData: unknown };
export const { Headers } = headers as { Headers: unknown };
export const { Request } = requests as { Request: unknown };
export const { Response } = responses as { Response: unknown };
