/**
 * A server that speaks enough of Redis's protocol (RESP2) for a client: strings, counters, hashes, errors.
 */
import { createServer, type Server, type Socket } from 'node:net';

const simple = (text: string): string => `+${text}\r\n`;
const integer = (value: number): string => `:${value}\r\n`;
const bulk = (text: string | undefined): string => (text === undefined ? '$-1\r\n' : `$${Buffer.byteLength(text)}\r\n${text}\r\n`);

/** Every connection has a data set of its own. */
export function createRedis(): Server {
  return createServer((socket) => {
    const reply = createReply();
    readCommands(socket, (command) => void socket.write(reply(command)));
  });
}

function createReply(): (command: readonly string[]) => string {
  const strings = new Map<string, string>();
  const hashes = new Map<string, Map<string, string>>();
  return ([name = '', key = '', ...rest]: readonly string[]): string => {
    switch (name.toLowerCase()) {
      case 'info':
        return bulk('redis_version:7.0.0\r\nloading:0\r\n');
      case 'client':
        return simple('OK');
      case 'set':
        strings.set(key, rest[0] ?? '');
        return simple('OK');
      case 'get':
        return bulk(strings.get(key));
      case 'incr': {
        const value = Number(strings.get(key) ?? 0) + 1;
        strings.set(key, String(value));
        return integer(value);
      }
      case 'hset': {
        const pairs = Array.from({ length: rest.length / 2 }, (_, index) => [rest[2 * index] ?? '', rest[2 * index + 1] ?? ''] as const);
        hashes.set(key, new Map(pairs));
        return integer(pairs.length);
      }
      case 'hgetall': {
        const items = [...(hashes.get(key) ?? [])].flat();
        return `*${items.length}\r\n${items.map(bulk).join('')}`;
      }
      default:
        return `-ERR unknown command '${name}'\r\n`;
    }
  };
}

/** Commands are arrays of bulk strings. */
function readCommands(socket: Socket, run: (command: readonly string[]) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let found = parse(bytes); found !== undefined; found = parse(bytes)) {
      bytes = bytes.subarray(found.length);
      run(found.command);
    }
  });
}

function parse(bytes: Buffer): { readonly command: readonly string[]; readonly length: number } | undefined {
  let at = 0;
  const number = (): number | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const value = Number(bytes.toString('latin1', at + 1, end));
    at = end + 2;
    return value;
  };
  const count = number();
  if (count === undefined) return undefined;
  const command: string[] = [];
  while (command.length < count) {
    const length = number();
    if (length === undefined || bytes.length < at + length + 2) return undefined;
    command.push(bytes.toString('utf8', at, at + length));
    at += length + 2;
  }
  return { command, length: at };
}
