/**
 * One request of a client: headers, interceptors, a time to wait, repetitions. Knows of the protocol only what
 * a status says; gives a `Response` or throws a `ClientError`.
 */
import { ClientError } from './client-error.ts';
import type { CallOptions, ClientOptions, Attached, Outgoing, SentParts } from './client-types.ts';

const RETRIES = 2;
const RETRY_DELAY_MS = 200;
/** What somebody in front of a server says when it is not there. */
const AGAIN: readonly number[] = [502, 503, 504];

export interface ToSend extends Outgoing {
  readonly isRepeatable: boolean;
  /** Behind the content. */
  readonly parts?: SentParts | undefined;
}

/** What is used up when the reply has been read. */
export interface Sent {
  readonly response: Response;
  /** A stream has begun, which takes as long as it takes. */
  readonly begin: () => void;
  /** Ends the request where it still runs. */
  readonly end: () => void;
  /** Why reading failed, if it was ended. */
  readonly why: (cause: unknown) => ClientError;
}

/** @throws ClientError */
export async function send(
  { url, init, isRepeatable, parts }: ToSend,
  options: ClientOptions,
  { signal, timeout = 0 }: CallOptions,
): Promise<Sent> {
  const controller = new AbortController();
  let isLate = false;
  const abort = (): void => controller.abort();
  const timer = timeout > 0 ? setTimeout(() => ((isLate = true), abort()), timeout) : undefined;
  signal?.addEventListener('abort', abort);
  if (signal?.aborted === true) abort();
  const forget = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    parts?.end();
  };
  const why = (cause: unknown): ClientError => {
    forget();
    const failure = parts?.failure();
    if (failure !== undefined) return new ClientError(failure);
    if (isLate) return new ClientError({ type: 'timeout', status: 0, message: `No result within ${timeout} ms.`, cause });
    if (signal?.aborted === true)
      return new ClientError({ type: 'aborted', status: 0, message: 'The call was aborted.', cause: signal.reason });
    return new ClientError({ type: 'network', status: 0, message: 'No server is there, or its reply broke off.', cause });
  };
  try {
    const outgoing = { url, init: { ...init, signal: controller.signal } };
    if (signal?.aborted === true) throw signal.reason;
    const attached: Attached = parts === undefined ? outgoing : await parts.attach(outgoing, options);
    const { fetch: own = options.fetch ?? fetch, ...whole } = attached;
    const response = await repeated(whole, { ...options, fetch: own }, isRepeatable);
    return { response, why, begin: () => clearTimeout(timer), end: () => (forget(), abort()) };
  } catch (cause) {
    throw why(cause);
  }
}

type Sending = ClientOptions & Required<Pick<ClientOptions, 'fetch'>>;

async function repeated(outgoing: Outgoing, options: Sending, isRepeatable: boolean): Promise<Response> {
  const { retries = RETRIES, retryDelay = RETRY_DELAY_MS } = options;
  const attempts = isRepeatable ? retries : 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await once(outgoing, options);
      if (attempt >= attempts || !AGAIN.includes(response.status)) return response;
      await response.body?.cancel();
    } catch (error) {
      if (attempt >= attempts || outgoing.init.signal?.aborted === true) throw error;
    }
    await rest((retryDelay * 2 ** attempt * (1 + Math.random())) / 2, outgoing.init.signal);
  }
}

async function once({ url, init }: Outgoing, options: Sending): Promise<Response> {
  const { fetch: own, headers, interceptors = [] } = options;
  const more = typeof headers === 'function' ? await headers() : headers;
  const ask = (one: Outgoing): Promise<Response> => own(one.url, one.init as RequestInit);
  const all = interceptors.reduceRight<typeof ask>((next, one) => (outgoing) => one(outgoing, next), ask);
  return all({ url, init: { ...init, headers: { ...more, ...init.headers } } });
}

/** @throws when it is aborted meanwhile */
function rest(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => (clearTimeout(timer), reject(new Error('aborted')));
    const timer = setTimeout(() => (signal?.removeEventListener('abort', stop), resolve()), ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
