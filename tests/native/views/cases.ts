// For each function of the runtime and each of its arguments that takes bytes: a call with a given value
// there and honest ones in the other places. What it gives back is compared, so it shows what the function
// read; what it wrote is looked at in the view's memory.
import { CERT, KEY } from '../modules/tls-identity.ts';
import { files } from './file-cases.ts';
import { ascii, bytes, type Case, type Cases, ops, read } from './support.ts';

const TEXT = ascii('sixteen bytes !!');
const one = (call: Case['call'], content: Uint8Array = TEXT): Case => ({ content, call });

const crypto = ops.call('crypto');
const SHA256 = ops.call('hashNumber', 'sha256') as unknown as number;
const hash = (state: unknown): unknown => ops.call('hashFinish', state, 1);
const rsa = (): unknown => (rsaKey ??= crypto.call('keyGenerate', 'rsa', 1024, 65537, [], undefined));
let rsaKey: unknown;
const signing = crypto.call('keyGenerate', 'ed25519', 0, 0, [], undefined);
const PLAIN = [-1, 0, 0, 0];
/** What objects of the runtime inherit from here. */
const NOTHING = Object.create(null) as object;
const BYTES = 0;
/** These say by a number that there are no bytes, and JavaScript throws Node's error. */
const NO_DATA = 2;
function taken(result: unknown): unknown {
  if (result === NO_DATA) throw new TypeError('no bytes');
  return result;
}
const SIGNATURE = bytes(crypto.call('sign', signing, TEXT, PLAIN, undefined));
const point = (): Uint8Array => {
  const [x, y] = crypto.call('keyParts', crypto.call('keyGenerate', 'prime256v1', 0, 0, [], undefined)) as unknown as ArrayBuffer[];
  // The last bytes of a point of 65 are no view of wide elements: those kinds are left out.
  return Uint8Array.from([4, ...new Uint8Array(x as ArrayBuffer), ...new Uint8Array(y as ArrayBuffer)]);
};
const [CBC, CTR, GCM] = [1, 2, 3];
const cipher = (mode: number, decrypts = false): unknown =>
  mode === GCM
    ? crypto.call('cipherStart', GCM, decrypts, TEXT, TEXT.subarray(0, 12), 16, undefined, NOTHING)
    : crypto.call('cipherStart', mode, decrypts, TEXT, TEXT, 0, undefined, NOTHING);
const RSA_OAEP = 4;

const bytesCases: Cases = {
  'ByteOps.compareBytes a': one((value) => ops.call('compareBytes', value, TEXT)),
  'ByteOps.compareBytes b': one((value) => ops.call('compareBytes', TEXT, value)),
  'ByteOps.concatBytes list': one((value) => {
    const target = new Uint8Array(400);
    return [ops.call('concatBytes', target, [TEXT, value, TEXT]), target];
  }, TEXT),
  'ByteOps.concatBytes target': one((value) => ops.call('concatBytes', value, [ascii('abc'), ascii('d'.repeat(400))])),
  'ByteOps.copyBytes source': one((value) => {
    const target = new Uint8Array(400);
    return [ops.call('copyBytes', value, target, 2, 1, 1e9), target];
  }),
  'ByteOps.copyBytes target': one((value) => ops.call('copyBytes', new Uint8Array(400).fill(7), value, 2, 1, 1e9)),
  'ByteOps.fillBytes bytes': one((value) => ops.call('fillBytes', value, ascii('ab'), 1, 1e9)),
  'ByteOps.fillBytes pattern': one((value) => {
    const target = new Uint8Array(400);
    return [ops.call('fillBytes', target, value, 0, 400), target];
  }),
  'ByteOps.indexOfByte bytes': one((value) => [0xaa, 0x21].map((byte) => ops.call('indexOfByte', value, byte, 0, 1e9, true))),
  'ByteOps.indexOfBytes bytes': one((value) => ops.call('indexOfBytes', value, ascii('!'), 1e9, 1e9, false, 1)),
  'ByteOps.indexOfBytes sought': one((value) => ops.call('indexOfBytes', ascii(`....sixteen bytes !!`), value, 0, 1e9, true, 1)),
  'ByteOps.isAscii bytes': one((value) => ops.call('isAscii', value)),
  'ByteOps.isUtf8 bytes': one((value) => ops.call('isUtf8', value)),
  'ByteOps.swapBytes bytes': one((value) => ops.call('swapBytes', value, 2)),
  'ByteOps.toArray bytes': one((value) => ops.call('toArray', value)),
  'StringOps.fatalUtf8 bytes': one((value) => ops.call('fatalUtf8', value)),
  'StringOps.toText bytes': one((value) => [0, 1, 2, 3, 4, 5, 7].map((encoding) => ops.call('toText', value, encoding, 0, 1e9))),
  'StringOps.writeText bytes': one((value) => ops.call('writeText', value, 1, 'é'.repeat(200), 1, 1e9)),
  'ProcessOps.writeSync data': one((value) => read((fd) => ops.call('writeSync', fd, value))),
  'ScriptOps.fileRead target': one((value) => ops.call('fileRead', 'files/none', value, 0)),
};

const hashCases: Cases = {
  'CryptoOps.hashOnce data': one((value) => ops.call('hashOnce', SHA256, value, 1)),
  'CryptoOps.hashUpdate data': one((value) => {
    const state = ops.call('hashStart', SHA256, undefined, NOTHING);
    taken(ops.call('hashUpdate', state, value));
    return hash(state);
  }),
  'CryptoOps.hmacOnce data': one((value) => ops.call('hmacOnce', SHA256, TEXT, value, 1)),
  'CryptoOps.hmacOnce key': one((value) => ops.call('hmacOnce', SHA256, value, TEXT, 1)),
  'CryptoOps.hmacStart key': one((value) => hash(ops.call('hmacStart', SHA256, value, NOTHING))),
  'CryptoOps.randomFill bytes': { content: TEXT, call: (value) => ops.call('randomFill', value, 0, 1e9), isRandom: true },
  'CryptoOps.timingSafeEqual a': one((value) => ops.call('timingSafeEqual', value, TEXT)),
  'CryptoOps.timingSafeEqual b': one((value) => ops.call('timingSafeEqual', TEXT, value)),
};

const keyCases: Cases = {
  'MoreCryptoOps.cipherAdd data': one((value) => {
    const state = cipher(GCM);
    crypto.call('cipherAdd', state, value);
    crypto.call('cipherFinish', state, BYTES);
    return crypto.call('cipherTag', state);
  }),
  'MoreCryptoOps.cipherSetTag tag': one((value) => {
    const state = cipher(GCM, true);
    return crypto.call('cipherSetTag', state, value);
  }),
  'MoreCryptoOps.cipherStart iv': one((value) => {
    const state = crypto.call('cipherStart', CBC, false, TEXT, value, 0, undefined, NOTHING);
    return state === null ? state : crypto.call('cipherUpdate', state, TEXT, BYTES);
  }),
  'MoreCryptoOps.cipherStart key': one((value) => {
    const state = crypto.call('cipherStart', CBC, false, value, TEXT, 0, undefined, NOTHING);
    return state === null ? state : crypto.call('cipherUpdate', state, TEXT, BYTES);
  }),
  'MoreCryptoOps.cipherUpdate data': one((value) => taken(crypto.call('cipherUpdate', cipher(CTR), value, BYTES))),
  'MoreCryptoOps.hkdf info': one((value) => crypto.call('hkdf', SHA256, TEXT, TEXT, value, 16, undefined)),
  'MoreCryptoOps.hkdf salt': one((value) => crypto.call('hkdf', SHA256, TEXT, value, TEXT, 16, undefined)),
  'MoreCryptoOps.hkdf secret': one((value) => crypto.call('hkdf', SHA256, value, TEXT, TEXT, 16, undefined)),
  // Encrypted with a salt of its own each time: only that it is as long.
  'MoreCryptoOps.keyEncrypt passphrase': one((value) => bytes(crypto.call('keyEncrypt', TEXT, value, 16)).length),
  'MoreCryptoOps.keyEncrypt pkcs8': one((value) => bytes(crypto.call('keyEncrypt', value, TEXT, 16)).length),
  'MoreCryptoOps.keyOfParts parts': one((value) => {
    const key = crypto.call('keyOfParts', 'rsa', [value, Uint8Array.of(1, 0, 1)]);
    return crypto.call('keyParts', key);
  }),
  'MoreCryptoOps.keyRead data': one((value) => crypto.call('keyWrite', crypto.call('keyRead', value, 'pem', true, undefined), 'pkcs8'), ascii(KEY)),
  'MoreCryptoOps.keyRead passphrase': one((value) => {
    const encrypted = crypto.call('keyEncrypt', crypto.call('keyWrite', signing, 'pkcs8'), TEXT, 16);
    return crypto.call('keyWrite', crypto.call('keyRead', encrypted, 'pkcs8', true, value), 'pkcs8');
  }),
  'MoreCryptoOps.keyWrap data': one((value) => crypto.call('keyWrap', false, TEXT, value)),
  'MoreCryptoOps.keyWrap key': one((value) => crypto.call('keyWrap', false, value, TEXT)),
  'MoreCryptoOps.pbkdf2 password': one((value) => crypto.call('pbkdf2', SHA256, value, TEXT, [1, 16], undefined)),
  'MoreCryptoOps.pbkdf2 salt': one((value) => crypto.call('pbkdf2', SHA256, TEXT, value, [1, 16], undefined)),
  'MoreCryptoOps.pointConvert point': one((value) => crypto.call('pointConvert', 'prime256v1', value, true), point()),
  'MoreCryptoOps.rsaCrypt data': one((value) => bytes(crypto.call('rsaCrypt', 'publicEncrypt', rsa(), value, [1, SHA256], TEXT, undefined)).length),
  'MoreCryptoOps.rsaCrypt label': one((value) => {
    const sealed = crypto.call('rsaCrypt', 'publicEncrypt', rsa(), TEXT, [RSA_OAEP, SHA256], value, undefined);
    return crypto.call('rsaCrypt', 'privateDecrypt', rsa(), sealed, [RSA_OAEP, SHA256], TEXT, undefined);
  }),
  'MoreCryptoOps.scrypt password': one((value) => crypto.call('scrypt', value, TEXT, [2, 1, 1, 16], undefined)),
  'MoreCryptoOps.scrypt salt': one((value) => crypto.call('scrypt', TEXT, value, [2, 1, 1, 16], undefined)),
  'MoreCryptoOps.sign data': one((value) => crypto.call('sign', signing, value, PLAIN, undefined)),
  'MoreCryptoOps.verify data': one((value) => crypto.call('verify', signing, value, SIGNATURE, PLAIN, undefined)),
  'MoreCryptoOps.webCtr counter': one((value) => crypto.call('webCtr', TEXT, value, 8, TEXT)),
  'MoreCryptoOps.webCtr data': one((value) => crypto.call('webCtr', TEXT, TEXT, 8, value)),
  'MoreCryptoOps.webCtr key': one((value) => crypto.call('webCtr', value, TEXT, 8, TEXT)),
  'MoreCryptoOps.verify signature': one((value) => crypto.call('verify', signing, TEXT, value, PLAIN, undefined), SIGNATURE),
};

const zlib = ops.call('zlib');
const FINISH = 4;
/** Input, output and result of one step; `place` is the one that is given. */
function step(place: 0 | 1 | 2): Case['call'] {
  return (value) => {
    const all: unknown[] = [TEXT, new Uint8Array(400), new Uint32Array(2)];
    all[place] = value;
    const outcome = zlib.call('open', 1, [15, 6, 8, 0]).call('write', FINISH, ...all);
    return [outcome, ...all.filter((_, at) => at !== place)];
  };
}

const request = { file: '/bin/cat', args: [], argv0: undefined, cwd: undefined, env: undefined, stdio: [-2, -2, -1], uid: undefined, gid: undefined, detached: false };

const otherCases: Cases = {
  'ZlibOps.crc32 data': one((value) => zlib.call('crc32', value, 0)),
  'ZlibOps.open dictionary': one((value) => {
    const output = new Uint8Array(400);
    const outcome = zlib.call('open', 1, [15, 6, 8, 0], value).call('write', FINISH, TEXT, output, new Uint32Array(2));
    return [outcome, output];
  }),
  'CodecHandle.write input': one(step(0)),
  'CodecHandle.write output': one(step(1)),
  'CodecHandle.write result': one(step(2)),
  'ChildOps.run input': one((value) => {
    const ended = ops.call('children').call('run', { ...request, timeout: 0, maxBuffer: 1e9, killSignal: 9 }, value) as unknown as unknown[];
    return ended.slice(1);
  }),
  'HttpParser.step bytes': one((value) => ops.call('httpParser', false, 8192, 100).call('step', value, 0), ascii('GET / HTTP/1.1\r\nhost: a\r\nx: y\r\n\r\n'.padStart(40, '\r\n'))),
  'TlsConnection.receive bytes': one((value) => ops.call('tlsConnection', true, { cert: CERT, key: KEY, verify: false }).call('receive', value)),
  'TlsConnection.send plain': one(sentByTls),
  // Nobody listens yet: all of it waits, and how much is told.
  'NetOps.write data': one((value) => waiting(value)),
};

/** What the peer of a TLS connection gets when the value is sent. */
function sentByTls(value: unknown): unknown {
  const server = ops.call('tlsConnection', true, { cert: CERT, key: KEY, verify: false });
  const client = ops.call('tlsConnection', false, { verify: false, servername: 'localhost' });
  for (let turn = 0; turn < 4; turn += 1) {
    for (const [from, to] of [[client, server], [server, client]] as const) {
      const sent = from.call('take') as unknown;
      if (sent !== undefined) to.call('receive', sent);
    }
  }
  client.call('send', value);
  const sent = client.call('take') as unknown;
  return sent === undefined ? 'nothing' : (server.call('receive', sent) as unknown as unknown[]).slice(3);
}

function waiting(value: unknown): unknown {
  const net = ops.get('net');
  const id = net.call('connect', '127.0.0.1', 9, '', 0);
  try {
    return net.call('write', id, value, false);
  } finally {
    net.call('close', id, true);
  }
}

/**
 * Arrays of Fulmar's own, made before an application runs; `docs/internals/memory.md` says why they are
 * trusted.
 */
export const ownArrays: readonly string[] = [
  'Binding.setSlab slab',
  // Made for the call: messages, and views over what they have beside them (`polyglot/wire/outbox.ts`).
  'GuestBinding.guestFile content',
  'GuestBinding.guestOpen settings',
  'GuestBinding.guestReceive inbox',
  'GuestBinding.guestSubmit attached',
  'GuestBinding.guestSubmit message',
];

const engine = ops.call('engine');
const GONE = [4_000_000, 4_000_000] as const;
const engineCases: Cases = {
  'Binding.replyLarge body': one((value) => engine.call('replyLarge', ...GONE, 200, null, '', 0, value)),
  'Binding.sha1Base64 bytes': one((value) => engine.call('sha1Base64', value)),
  'Binding.write chunk': one((value) => engine.call('write', ...GONE, value)),
  'Binding.writeRaw chunk': one((value) => engine.call('writeRaw', ...GONE, value)),
};

/** Methods that take the bytes as `this`. */
function methods(): Cases {
  const text = {} as Record<string, (...args: unknown[]) => unknown>;
  ops.call('setTextMethods', text);
  const refuse = (): never => {
    throw new TypeError('refused');
  };
  const all: Record<string, Case> = {};
  for (const [name, method] of Object.entries(text)) {
    const isSlice = name.endsWith('Slice');
    // Whole numbers go the short way, others the general one.
    all[`this ${name}`] = one((value) => (isSlice ? [method.call(value, 0, 16), method.call(value, 0, 1e9), method.call(value)] : [method.call(value, 'abcd', 2, 4), method.call(value, '4142'.repeat(50))]));
  }
  for (const form of [1, 4, 8 + 64, 8 + 128, 2 + 16 + 32]) {
    const [reads, writes] = [ops.call('numberReader', form, refuse), ops.call('numberWriter', form, refuse)] as unknown as ((...args: unknown[]) => unknown)[];
    const value = (form & 128) === 0 ? 1 : 1n;
    const attempts = (call: (at: number) => unknown): unknown[] => [0, 8, 15, 16, 40].map((at) => attempt(() => call(at)));
    all[`this number reader ${form}`] = one((view) => attempts((at) => reads?.call(view, at)));
    all[`this number writer ${form}`] = one((view) => attempts((at) => writes?.call(view, value, at)));
  }
  return all;
}

/** A `RangeError`'s stand-in is an outcome like another; that a value is no view is not. */
function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}

export const cases: Cases = { ...bytesCases, ...hashCases, ...keyCases, ...otherCases, ...engineCases, ...files, ...methods() };
