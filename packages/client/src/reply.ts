/** What a server answered, as values and errors. Believes nothing: a proxy may have answered in its place. */
import { fromWire } from '../../fulmar/src/shape/wire-hints.ts';
import { ClientError } from './client-error.ts';
import type { Outcome, Speaking } from './client-types.ts';
import type { Sent } from './sending.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer lines of a stream are a mistake, and would be kept until they end. */
const LINE_CHARS_MAX = 16 * 1024 * 1024;

export async function readReply(response: Response, speaking: Speaking | undefined): Promise<Members> {
  const decode = speaking?.decoder(response);
  const content = await (decode === undefined ? response.text() : response.arrayBuffer());
  let members: unknown;
  try {
    members = (decode ?? JSON.parse)(content as string & ArrayBuffer);
  } catch (cause) {
    throw strange(response, cause);
  }
  if (!isMembers(members) || members['rpc'] !== 1) throw strange(response);
  return members;
}

/** No reply of the protocol. */
function strange({ status, ok }: Response, cause?: unknown): ClientError {
  if (!ok) return new ClientError({ type: 'http', status, message: `No RPC reply, but ${status}.`, cause });
  return new ClientError({ type: 'protocol', status, message: 'No RPC reply.', cause });
}

export function toOutcome(members: unknown): Outcome<unknown, ClientError> {
  if (!isMembers(members)) return [undefined, toError(undefined)];
  // A batch has results, one of which has a value.
  const { error, results, value = results, as, added } = members;
  try {
    const pair = error === undefined ? [fromWire(value, as), undefined] : [undefined, toError(error)];
    if (Array.isArray(added)) pair.push(addedOf(added));
    return pair as unknown as Outcome<unknown, ClientError>;
  } catch (cause) {
    return [
      undefined,
      cause instanceof ClientError
        ? cause
        : new ClientError({ type: 'protocol', status: 200, message: 'The reply cannot be read.', cause }),
    ];
  }
}

/** What middleware has told, as one object. */
function addedOf(added: readonly unknown[]): Members {
  const told = added.map((one) => (isMembers(one) ? (fromWire(one['value'], one['as']) as Members) : {}));
  // An assignment would take a member __proto__ for what it is not.
  return Object.fromEntries(told.flatMap((one) => Object.entries(one)));
}

export function toError(given: unknown): ClientError {
  const { type, status, message, data, as, id, issues } = isMembers(given) ? given : {};
  return new ClientError({
    type: typeof type === 'string' ? type : 'protocol',
    status: typeof status === 'number' ? status : 0,
    message: typeof message === 'string' ? message : 'The reply cannot be read.',
    data: fromWire(data, as),
    id: typeof id === 'string' ? id : undefined,
    issues: Array.isArray(issues) ? issues : [],
  });
}

/** As in React Native. What is not read is not waited for. */
export function noStreams({ end }: Sent): ClientError {
  end();
  const message = 'This fetch gives no streams: createClient() takes another.';
  return new ClientError({ type: 'protocol', status: 200, message });
}

/** Items as they come. Who stops to read ends the request, and with it the source, also while an item is waited for. */
export function readStream(sent: Sent): AsyncIterableIterator<unknown> {
  let isLeft = false;
  const items = itemsOf(sent, () => isLeft);
  return {
    next: () => items.next(),
    return: () => {
      isLeft = true;
      sent.end();
      return items.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* itemsOf({ response, end, why }: Sent, isLeft: () => boolean): AsyncGenerator<unknown, void, undefined> {
  // It was looked at before.
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for await (const line of linesOf(reader)) {
      const members: unknown = JSON.parse(line);
      if (!isMembers(members)) throw new TypeError('a line is an object');
      if (members['done'] === true) return;
      const [value, error] = toOutcome(members);
      if (error !== undefined) throw error;
      yield value;
    }
    throw new TypeError('a stream has an end');
  } catch (cause) {
    if (isLeft()) return;
    throw cause instanceof ClientError ? cause : why(cause);
  } finally {
    void reader.cancel().catch(() => {});
    end();
  }
}

async function* linesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARS_MAX) throw new TypeError('a line is too long');
    yield* lines;
  }
}
