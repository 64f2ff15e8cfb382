/**
 * Questions to name servers over TCP (RFC 1035, 7766): the system's servers, or those an application has set.
 */
import net from 'node:net';
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dnsException, errnoException } from '../shared/errno.ts';
import type { ResolverOptions } from './resolver.ts';
import { isIP } from '../net/ip.ts';
import { answersOf, encodeQuestion, KINDS, resultOf } from './message.ts';
import type { Answers } from './message.ts';

const CONFIGURATION = '/etc/resolv.conf';
const PORT = 53;
/** What c-ares waits for the first answer, in ms; later tries wait twice as long each. */
const TIMEOUT_MS = 5000;
const LENGTH_BYTES = 2;
const EINVAL = -22;

export interface Question {
  readonly method: string;
  readonly kind: string;
  readonly name: string;
  readonly ttl: boolean;
}

type Done = (error: Error | null, records?: unknown) => void;

let known: string[] | undefined;

/** The servers of the system's configuration; this machine's where there is none. */
export function systemServers(): string[] {
  known ??= readServers();
  return [...known];
}

function readServers(): string[] {
  let text = '';
  try {
    text = readFileSync(CONFIGURATION, 'utf8');
  } catch {
    // No configuration: as c-ares, this machine is asked.
  }
  const found = text
    .split('\n')
    .map((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1])
    .filter((address) => address !== undefined && isIP(address) !== 0);
  return found.length > 0 ? (found as string[]) : ['127.0.0.1'];
}

interface Server {
  readonly host: string;
  readonly port: number;
}

function serverOf(text: string): Server {
  if (isIP(text) !== 0) return { host: text, port: PORT };
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

/** One question to one server. */
interface Exchange {
  readonly server: Server;
  readonly message: Buffer;
  readonly timeout: number;
  readonly options: ResolverOptions;
}

type Settle = (code: string | null, answers?: Answers) => void;

/** Returns a function that gives up. */
function exchange({ server, message, timeout, options }: Exchange, settle: Settle): () => void {
  const localAddress = isIP(server.host) === 6 ? options.local.v6 : options.local.v4;
  const socket = net.connect({ ...server, ...(localAddress === undefined ? {} : { localAddress }) });
  let received = Buffer.alloc(0);
  let isSettled = false;
  const end = (code: string | null, answers?: Answers): void => {
    if (isSettled) return;
    isSettled = true;
    socket.destroy();
    settle(code, answers);
  };
  socket.setTimeout(timeout, () => end('ETIMEOUT'));
  socket.on('error', () => end('ECONNREFUSED'));
  socket.on('close', () => end('ECONNREFUSED'));
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < LENGTH_BYTES || received.length < LENGTH_BYTES + received.readUInt16BE(0)) return;
    const answers = answersOf(received.subarray(LENGTH_BYTES, LENGTH_BYTES + received.readUInt16BE(0)), message);
    end(answers.code, answers);
  });
  const framed = Buffer.alloc(LENGTH_BYTES);
  framed.writeUInt16BE(message.length);
  socket.write(Buffer.concat([framed, message]));
  return () => {
    isSettled = true;
    socket.destroy();
  };
}

/** Answers that no other server would give differently. */
const FINAL: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EFORMERR', 'EBADRESP']);

/** Asks one server after the other, all of them several times. */
function ask(options: ResolverOptions, message: Buffer, settle: Settle): () => void {
  const servers = (options.servers ?? systemServers()).map(serverOf);
  const count = servers.length * options.tries;
  let stop = (): void => undefined;
  const attempt = (index: number): void => {
    const round = Math.floor(index / servers.length);
    const timeout = (options.timeout > 0 ? options.timeout : TIMEOUT_MS) * 2 ** round;
    const server = servers[index % servers.length] as Server;
    stop = exchange({ server, message, timeout, options }, (code, answers) => {
      const isLast = index + 1 >= (code === 'ECONNREFUSED' ? servers.length : count);
      if (code === null || FINAL.has(code) || isLast) settle(code, answers);
      else attempt(index + 1);
    });
  };
  attempt(0);
  return () => stop();
}

export function query(options: ResolverOptions, question: Question, done: Done): void {
  const message = encodeQuestion(question.name, KINDS[question.kind] as number, randomBytes(LENGTH_BYTES));
  const call = `query${question.kind.charAt(0)}${question.kind.slice(1).toLowerCase()}`;
  if (message === null) {
    process.nextTick(done, dnsException('EBADNAME', call, question.name));
    return;
  }
  const finish = (code: string | null, answers?: Answers): void => {
    options.pending.delete(cancel);
    if (code !== null || answers === undefined) {
      done(dnsException(code ?? 'EBADRESP', call, question.name));
      return;
    }
    const records = resultOf(answers, question.kind, question.ttl);
    if (records === null) done(dnsException('ENODATA', call, question.name));
    else done(null, records);
  };
  const stop = ask(options, message, finish);
  const cancel = (): void => {
    stop();
    finish('ECANCELLED');
  };
  options.pending.add(cancel);
}

/** `1.2.0.192.in-addr.arpa` */
function reverseName(address: string): string | null {
  const family = isIP(address);
  if (family === 0) return null;
  if (family === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const digits = groups(address)
    .map((group) => group.padStart(4, '0'))
    .join('');
  return `${[...digits].toReversed().join('.')}.ip6.arpa`;
}

/** The eight groups of an IPv6 address. */
function groups(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]/`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const missing = after === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right];
}

export function reverse(options: ResolverOptions, address: string, done: Done): void {
  const name = reverseName(address);
  if (name === null) throw errnoException(EINVAL, 'getHostByAddr', address);
  query(options, { method: 'resolvePtr', kind: 'PTR', name, ttl: false }, (error, records) => {
    if (error === null) done(null, records);
    else done(dnsException((error as NodeJS.ErrnoException).code as string, 'getHostByAddr', address));
  });
}
