/** Random programs for `node:tls`: two peers with options of their own, who write, end and destroy. */
import { CERTIFICATES, KEY, type CertificateName } from '../modules/tls-certificates.ts';
import { conversation, type Behaviour } from '../modules/tls-peers.ts';
import { fewer, type Kind } from './kind.ts';
import type { Random } from './random.ts';

type Step = readonly ['write', number] | readonly ['end', number] | readonly ['destroy'];

export interface TlsProgram {
  readonly kind: 'tls';
  readonly chain: readonly CertificateName[];
  readonly own: readonly CertificateName[];
  readonly trusted: readonly CertificateName[];
  readonly server: Readonly<Record<string, unknown>>;
  readonly client: Readonly<Record<string, unknown>>;
  readonly serve: readonly Step[];
  readonly ask: readonly Step[];
}

const NAMES = ['root', 'inter', 'leaf', 'far', 'own', 'expired', 'future', 'other', 'client', 'old'] as const;
const PROTOCOLS = ['one', 'two', 'h2', 'http/1.1'] as const;
const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;

function protocols(random: Random): Record<string, unknown> {
  return random.chance(3) ? { ALPNProtocols: Array.from({ length: 1 + random.below(3) }, () => random.pick(PROTOCOLS)) } : {};
}

/** Those that contradict themselves are refused by either host in its own way. */
function versions(random: Random): Record<string, unknown> {
  if (random.chance(5)) return { minVersion: random.pick(VERSIONS) };
  return random.chance(4) ? { maxVersion: random.pick(VERSIONS) } : {};
}

/** One side speaks first and ends at last, so that what each hears does not depend on who is quicker. */
function steps(random: Random): Step[] {
  const writes = Array.from({ length: random.below(3) }, (): Step => ['write', random.pick([1, 100, 20_000, 70_000])]);
  return [...writes, ['end', random.pick([0, 1, 16_384])]];
}

function make(random: Random): TlsProgram {
  const leaf = random.chance(2) ? 'leaf' : random.pick(NAMES);
  const asks = random.chance(3);
  return {
    kind: 'tls',
    chain: [leaf, ...(random.chance(3) ? [random.pick(NAMES)] : [])],
    own: asks && random.chance(2) ? [random.pick(['client', 'leaf', 'expired', 'other'] as const)] : [],
    trusted: [random.chance(4) ? random.pick(NAMES) : 'root', ...(random.chance(5) ? [random.pick(NAMES)] : [])],
    server: {
      ...versions(random),
      ...protocols(random),
      ...(asks ? { requestCert: true, rejectUnauthorized: random.chance(2) } : {}),
    },
    client: {
      ...versions(random),
      ...protocols(random),
      ...(random.chance(4) ? { rejectUnauthorized: false } : {}),
      ...(random.chance(4) ? { servername: random.pick(['localhost', 'other.example', 'a.b.c', '']) } : {}),
    },
    serve: steps(random),
    ask: steps(random),
  };
}

const played =
  (script: readonly Step[]): Behaviour =>
  (socket) => {
    for (const [what, count] of script) {
      if (what === 'destroy') socket.destroy();
      else if (what === 'end') socket.end(Buffer.alloc(count, 'e'));
      else socket.write(Buffer.alloc(count, 'w'));
    }
  };

const pem = (names: readonly CertificateName[]): string => names.map((name) => CERTIFICATES[name]).join('\n');

/**
 * What rustls says to a client of TLS 1.2 without a certificate is what OpenSSL says to one of TLS 1.3 only.
 */
const NO_CERTIFICATE = ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'];

/** Texts by their lengths. */
function shorter(value: unknown): unknown {
  if (NO_CERTIFICATE.includes(value as string)) return 'no certificate';
  if (typeof value === 'string') return value.length > 100 ? value.length : value;
  return Array.isArray(value) ? value.map(shorter) : value;
}

/**
 * What a peer sees; that its own end comes before or after the other's is a matter of time. Behind an error,
 * what else there is to be seen of the connection depends on who has closed it by then.
 */
function told(seen: unknown): unknown {
  if (!Array.isArray(seen)) return seen;
  const isOver = seen.some((event) => Array.isArray(event) && event[0] === 'error');
  const counts = (event: unknown): boolean => !isOver || (Array.isArray(event) && (event[0] === 'error' || event[0] === 'secure'));
  return seen
    .filter(counts)
    .map(shorter)
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function answer(program: TlsProgram): Promise<unknown> {
  const { chain, own, trusted, server, client, serve, ask } = program;
  const found = (await conversation({
    server: { key: KEY, cert: pem(chain), ca: trusted.map((name) => CERTIFICATES[name]), ...server },
    client: { ca: trusted.map((name) => CERTIFICATES[name]), ...(own.length > 0 ? { key: KEY, cert: pem(own) } : {}), ...client },
    serve: played(serve),
    ask: played(ask),
  }).catch((error: unknown) => String(error))) as { client?: unknown; server?: unknown };
  return { client: told(found.client), server: told(found.server) };
}

function* smaller(program: TlsProgram): Generator<TlsProgram> {
  for (const ask of fewer(program.ask)) yield { ...program, ask };
  for (const serve of fewer(program.serve)) yield { ...program, serve };
  for (const own of fewer(program.own)) yield { ...program, own };
  if (program.chain.length > 1) yield { ...program, chain: program.chain.slice(0, 1) };
  if (program.trusted.length > 1) for (const trusted of fewer(program.trusted)) yield { ...program, trusted };
  for (const side of ['server', 'client'] as const) {
    for (const name of Object.keys(program[side])) {
      const { [name]: _left, ...options } = program[side];
      yield { ...program, [side]: options };
    }
  }
}

export const tlsKind: Kind<TlsProgram> = { make, answer, smaller };
