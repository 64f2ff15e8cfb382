/** What a server answered, as values and errors. Believes nothing: a proxy may have answered in its place. */
import { fromWire } from '../../fulmar/src/shape/wire-hints.ts';
import { ClientError } from './client-error.ts';
import type { BinaryCodec, Outcome } from './client-types.ts';
import type { Sent } from './sending.ts';

export type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer lines of a stream are a mistake, and would be kept until they end. */
const LINE_CHARS_MAX = 16 * 1024 * 1024;

/** `isBinary`: the server has the binary form. */
export async function readReply(
  response: Response,
  codec?: BinaryCodec,
): Promise<{ readonly members: Members; readonly isBinary: boolean }> {
  const isBinary = codec !== undefined && response.headers.get('content-type') === codec.type;
  const content = isBinary ? new Uint8Array(await response.arrayBuffer()) : await response.text();
  let members: unknown;
  try {
    members = typeof content === 'string' ? JSON.parse(content) : codec?.decode(content);
  } catch (cause) {
    throw strange(response, cause);
  }
  if (!isMembers(members) || members['rpc'] !== 1) throw strange(response);
  return { members, isBinary };
}

/** No reply of the protocol. */
function strange({ status, ok }: Response, cause?: unknown): ClientError {
  if (!ok) return new ClientError({ type: 'http', status, message: `The reply is ${status}, and not of an RPC server.`, cause });
  return new ClientError({ type: 'protocol', status, message: 'The reply is not of an RPC server of version 1.', cause });
}

/** Of a batch in the binary form each result is a reply of its own. */
export function toOutcome(given: unknown, codec?: BinaryCodec): Outcome<unknown, ClientError> {
  try {
    const members = given instanceof Uint8Array ? codec?.decode(given) : given;
    if (!isMembers(members)) return [undefined, toError(undefined)];
    const { error, value, as } = members;
    if (error !== undefined) return [undefined, toError(error)];
    return [fromWire(value, as), undefined];
  } catch (cause) {
    return [
      undefined,
      cause instanceof ClientError
        ? cause
        : new ClientError({ type: 'protocol', status: 200, message: 'The reply cannot be read.', cause }),
    ];
  }
}

export function toError(given: unknown): ClientError {
  const { type, status, message, data, as, id, issues } = isMembers(given) ? given : {};
  return new ClientError({
    type: typeof type === 'string' ? type : 'protocol',
    status: typeof status === 'number' ? status : 0,
    message: typeof message === 'string' ? message : 'The error cannot be read.',
    data: fromWire(data, as),
    id: typeof id === 'string' ? id : undefined,
    issues: Array.isArray(issues) ? issues : [],
  });
}

/** Items as they come. Who stops to read ends the request, and with it the source. */
export async function* readStream({ response, end, why }: Sent): AsyncGenerator<unknown, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) throw new ClientError({ type: 'protocol', status: 200, message: 'The stream has no content.' });
  try {
    for await (const line of linesOf(reader)) {
      const members: unknown = JSON.parse(line);
      if (!isMembers(members)) throw new TypeError('a line of a stream is an object');
      if (members['done'] === true) return;
      const [value, error] = toOutcome(members);
      if (error !== undefined) throw error;
      yield value;
    }
    throw new TypeError('the stream ended without saying so');
  } catch (cause) {
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
    if (rest.length > LINE_CHARS_MAX) throw new TypeError('a line of the stream is too long');
    yield* lines;
  }
}
