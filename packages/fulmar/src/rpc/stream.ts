/**
 * A result that comes item by item, as lines of JSON: `{"value":…}` for each, then `{"done":true}`, or
 * `{"error":…}` where it fails. A client that leaves ends its source.
 */
import type { Request } from './call.ts';
import { toTold } from './errors.ts';
import { RpcFailure } from './failure.ts';
import type { Endpoint } from './tree.ts';

export const STREAM_TYPE = 'application/x-ndjson';

export async function* linesOf(
  source: AsyncIterable<unknown>,
  endpoint: Endpoint,
  { log }: Request,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const item of source) {
      if (item instanceof RpcFailure) return yield errorLine(item, endpoint, log);
      const members = await endpoint.encode(item);
      yield `{${members === '' ? '"as":"undefined","value":null' : members.slice(1)}}\n`;
    }
    yield '{"done":true}\n';
  } catch (error) {
    yield errorLine(error, endpoint, log);
  }
}

const errorLine = (error: unknown, { name }: Endpoint, log: Request['log']): string =>
  `${JSON.stringify({ error: toTold(error, name, log) })}\n`;
