/**
 * Request and response of Node's own kind as an exchange: where somebody else has made both, a platform or a server
 * that is not ours. The reply passes through the response, as fast as that takes it.
 */
import { MemoryExchange } from './memory-exchange.ts';

interface MessageRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

interface MessageResponse {
  statusCode: number;
  statusMessage: string;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(content: Uint8Array): boolean;
  end(): void;
  destroy(): unknown;
  on(event: 'close' | 'drain', listener: () => void): unknown;
}

/** What is known better than the messages tell it. */
export interface MessageFrom {
  readonly target: string;
  /** Content that has been read already. */
  readonly content?: Uint8Array | null;
  readonly remoteAddress?: string | undefined;
  readonly secure?: boolean;
  readonly platform?: unknown;
}

/** What follows from a connection, which somebody else has. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const OF_CONTENT = /^(?:content-length|transfer-encoding)$/i;

/** An exchange that is answered through `res`, and ends when that closes. */
export function messageExchange(req: MessageRequest, res: MessageResponse, from: MessageFrom): MemoryExchange {
  const { rawHeaders, socket } = req;
  const hasContent = rawHeaders.some((name, index) => index % 2 === 0 && OF_CONTENT.test(name));
  const request = {
    method: req.method ?? 'GET',
    target: from.target,
    rawHeaders,
    content: from.content ?? (hasContent ? req : null),
    remoteAddress: from.remoteAddress ?? socket.remoteAddress,
    secure: from.secure ?? socket.encrypted === true,
    platform: from.platform,
  };
  const exchange = new MemoryExchange(request, {
    onHead: (status, reason, lines) => {
      // What somebody has set before is replaced, as by the application's own response.
      for (const [name, values] of byName(withoutConnection(lines))) res.setHeader(name, values);
      if (reason !== null) res.statusMessage = reason;
      res.statusCode = status;
    },
    onContent: (piece) => res.write(piece),
    onEnd: () => res.end(),
    onAbort: () => void res.destroy(),
  });
  res.on('drain', () => exchange.drained());
  res.on('close', () => {
    if (!res.writableFinished) exchange.left();
  });
  return exchange;
}

/** `[name, value]` of each line that is the application's. */
export function withoutConnection(raw: readonly string[]): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!OF_CONNECTIONS.has(name.toLowerCase())) lines.push([name, raw[at + 1] as string]);
  }
  return lines;
}

/** Several lines of one name stay several. */
function byName(lines: readonly (readonly [string, string])[]): Map<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  const spellings = new Map<string, string>();
  for (const [name, value] of lines) {
    const spelling = spellings.get(name.toLowerCase()) ?? name;
    spellings.set(name.toLowerCase(), spelling);
    const before = fields.get(spelling);
    fields.set(spelling, before === undefined ? value : [before, value].flat());
  }
  return fields;
}
