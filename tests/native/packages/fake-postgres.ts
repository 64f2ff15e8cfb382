/**
 * A server that speaks enough of PostgreSQL's protocol for a driver: SCRAM log-in, simple and prepared
 * queries with fixed rows, errors.
 */
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';

const PASSWORD = 'pass';
const ITERATIONS = 4096;
const SALT = Buffer.from('a fixed salt 123');

/** Name, type's number, value as text. */
type Column = readonly [name: string, type: number, value: string | null];

const ALL: readonly (readonly Column[])[] = [
  [['i', 23, '42'], ['t', 25, 'grüße'], ['b', 16, 't'], ['d', 1184, '2024-05-06 07:08:09.123+00'], ['j', 114, '{"a":[1,null]}'], ['n', 25, null], ['y', 17, '\\xdeadbeef'], ['f', 701, '1.5'], ['l', 20, '9007199254740993'], ['a', 1007, '{1,2,NULL}']],
  [['i', 23, '-1'], ['t', 25, ''], ['b', 16, 'f'], ['d', 1184, '1970-01-01 00:00:00+00'], ['j', 114, 'null'], ['n', 25, 'x'], ['y', 17, '\\x'], ['f', 701, 'NaN'], ['l', 20, '0'], ['a', 1007, '{}']],
]; // prettier-ignore

export function createPostgres(): Server {
  return createServer((socket) => new Session(socket));
}

const string = (text: string): Buffer => Buffer.from(`${text}\0`);
const int16 = (value: number): Buffer => Buffer.from([(value >> 8) & 255, value & 255]);
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);
}

const READY = message('Z', Buffer.from('I'));
const complete = (count: number): Buffer => message('C', string(`SELECT ${count}`));

function describeRow(row: readonly Column[]): Buffer {
  const fields = row.flatMap(([name, type]) => [string(name), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]);
  return message('T', int16(row.length), ...fields);
}

function dataRow(row: readonly Column[]): Buffer {
  const values = row.flatMap(([, , value]) => (value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)]));
  return message('D', int16(row.length), ...values);
}

const failure = (text: string): Buffer =>
  message('E', string('SERROR'), string('VERROR'), string('C42601'), string(`M${text}`), Buffer.from([0]));

class Session {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isStarted = false;
  #exchange = '';
  #parameters: (string | null)[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#read();
    });
  }

  #read(): void {
    for (;;) {
      const head = this.#isStarted ? 1 : 0;
      if (this.#bytes.length < head + 4) return;
      const length = this.#bytes.readInt32BE(head) + head;
      if (this.#bytes.length < length) return;
      const content = this.#bytes.subarray(head + 4, length);
      const type = this.#isStarted ? String.fromCharCode(this.#bytes[0] ?? 0) : 'startup';
      this.#bytes = this.#bytes.subarray(length);
      this.#handle(type, content);
    }
  }

  #handle(type: string, content: Buffer): void {
    if (type === 'startup') {
      this.#isStarted = true;
      this.#socket.write(message('R', int32(10), string('SCRAM-SHA-256'), Buffer.from([0])));
    } else if (type === 'p') this.#authenticate(content.toString());
    else if (type === 'Q') this.#simple(content.toString().slice(0, -1));
    else if (type === 'P') this.#socket.write(message('1'));
    else if (type === 'B') this.#bind(content);
    else if (type === 'D') this.#socket.write(describeRow(this.#prepared()));
    else if (type === 'E') this.#socket.write(Buffer.concat([dataRow(this.#prepared()), complete(1)]));
    else if (type === 'S') this.#socket.write(READY);
    else if (type === 'X') this.#socket.end();
  }

  #authenticate(text: string): void {
    if (this.#exchange === '') {
      const client = text.slice(text.indexOf('n=')).replaceAll('\0', '');
      const nonce = `${/r=([^,]*)/.exec(client)?.[1] ?? ''}server`;
      const server = `r=${nonce},s=${SALT.toString('base64')},i=${ITERATIONS}`;
      this.#exchange = `${client},${server},c=biws,r=${nonce}`;
      this.#socket.write(message('R', int32(11), Buffer.from(server)));
      return;
    }
    const hmac = (key: Buffer, value: string): Buffer => createHmac('sha256', key).update(value).digest();
    const salted = pbkdf2Sync(PASSWORD, SALT, ITERATIONS, 32, 'sha256');
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(createHash('sha256').update(clientKey).digest(), this.#exchange);
    const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0));
    const given = Buffer.from(/p=(.*)$/.exec(text)?.[1] ?? '', 'base64');
    if (given.length !== proof.length || !timingSafeEqual(given, proof)) {
      this.#socket.end(failure('password authentication failed'));
      return;
    }
    const final = `v=${hmac(hmac(salted, 'Server Key'), this.#exchange).toString('base64')}`;
    const status = message('S', string('server_version'), string('16.0'));
    this.#socket.write(
      Buffer.concat([message('R', int32(12), Buffer.from(final)), message('R', int32(0)), status, message('K', int32(1), int32(2)), READY]),
    );
  }

  #simple(text: string): void {
    if (text === 'fail') this.#socket.write(Buffer.concat([failure('syntax error at or near "fail"'), READY]));
    else this.#socket.write(Buffer.concat([describeRow(ALL[0] ?? []), ...ALL.map(dataRow), complete(ALL.length), READY]));
  }

  /** Portal, statement, formats, then the parameters' values. */
  #bind(content: Buffer): void {
    let at = content.indexOf(0) + 1;
    at = content.indexOf(0, at) + 1;
    at += 2 + 2 * content.readInt16BE(at);
    const count = content.readInt16BE(at);
    at += 2;
    this.#parameters = Array.from({ length: count }, () => {
      const length = content.readInt32BE(at);
      const value = length < 0 ? null : content.toString('utf8', at + 4, at + 4 + length);
      at += 4 + Math.max(0, length);
      return value;
    });
    this.#socket.write(message('2'));
  }

  #prepared(): readonly Column[] {
    return this.#parameters.map((value, index) => [`p${index}`, 25, value] as const);
  }
}
