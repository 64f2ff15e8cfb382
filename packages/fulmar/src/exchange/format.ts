/**
 * The numbers both sides of the batch agree on. Mirrors `crates/batch/src/format.rs`; a unit test compares
 * the two files.
 */

/**
 * Bits of `ReplyFlags`. The engine appends, in Node's order: Date, Connection (and Keep-Alive),
 * Content-Length or Transfer-Encoding.
 */
export const ReplyFlag = {
  /** Append `Date`. */
  date: 1,
  /**
   * Append `Connection: keep-alive` and `Keep-Alive: timeout=N` (`, max=N` with a request limit). The engine
   * turns it into `close` while draining.
   */
  keepAlive: 2,
  /** Append `Connection: close`. */
  closeField: 4,
  /** Close the connection after this reply, whatever the field lines say. */
  closeAfter: 8,
  /** Append `Content-Length` of the body given to `reply()`, or of `start()`'s `contentLength`. */
  contentLength: 16,
  /** Append `Transfer-Encoding: chunked` and chunk the content. */
  chunkedField: 32,
  /** Chunk the content; the caller's block has the field already. */
  chunked: 64,
  /** The reply has no content by rule (HEAD, 204, 304): body bytes are dropped. */
  noContent: 128,
  /** With keepAlive: leave out `Keep-Alive: timeout=N`. */
  noKeepAliveHint: 256,
  /**
   * Write the SHA-1 of the body, `DIGEST_CHARS` of base64, into the block. The bits from `DIGEST_PLACE_SHIFT`
   * on say how many bytes before the block's end (see `Exchange.reply`).
   */
  digest: 512,
  /** The host wants `Sent`. Set by `Exchange.notifySent()`. */
  wantsSent: 1024,
} as const;

export const DIGEST_PLACE_SHIFT = 16;
/** Characters of a digest: base64 of a SHA-1 without padding, as entity tags have it. */
export const DIGEST_CHARS = 27;

/** Sizes of the shared arrays, in records and 32-bit words; that of events is the host's alone. */
export const EVENT_WORDS = 16;
export const COMMAND_WORDS = 12;
export const COMMANDS_CAPACITY = 512;
/** Bytes of the arena: text and small bodies of a full batch of small replies. */
export const ARENA_BYTES = 256 * 1024;

/** Words of the control array. */
export const Control = { cursor: 0, commands: 1, arena: 2, sentAwaited: 3, from: 4, failed: 5 } as const;

/** Words of a reply command. */
export const Command = {
  slot: 0,
  generation: 1,
  status: 2,
  flags: 3,
  reasonStart: 4,
  /** 0: the standard reason; otherwise one more than its bytes, as a reason may be empty. */
  reasonSize: 5,
  blockStart: 6,
  blockLen: 7,
  bodyStart: 8,
  bodyLen: 9,
} as const;

/**
 * The low byte of an event's first word. Kinds of exchanges come first (`EVENT_KIND_LAST_OF_EXCHANGE`): a new
 * one moves all others.
 */
export const EventKind = {
  request: 1,
  upgrade: 2,
  content: 3,
  contentEnd: 4,
  abort: 5,
  drain: 6,
  sent: 7,
  connection: 8,
  connectionClosed: 9,
  rawData: 10,
  rawEnd: 11,
  connectionDrain: 12,
  timeout: 13,
  reject: 14,
  drop: 15,
  listenerClosed: 16,
  connectionLost: 17,
} as const;

/**
 * The kinds up to this one carry the id of an exchange in words 1 and 2; the others that of a connection or a
 * listener.
 */
export const EVENT_KIND_LAST_OF_EXCHANGE = 7;

/** Why an exchange or a connection ended, in the event's `headStart`. */
export const AbortReason = {
  none: 0,
  peerClosed: 1,
  peerReset: 2,
  host: 3,
  timeout: 4,
  framing: 5,
  overflow: 6,
  io: 7,
  contentGone: 8,
} as const;

/** Words of an event record. */
export const Event = {
  head: 0,
  slot: 1,
  generation: 2,
  listener: 3,
  headStart: 4,
  headLen: 5,
  targetStart: 6,
  targetLen: 7,
  fieldsStart: 8,
  fieldsLen: 9,
  contentStart: 10,
  contentLen: 11,
  lengthLow: 12,
  lengthHigh: 13,
  connectionSlot: 14,
  connectionGeneration: 15,
} as const;

/** Upper half of an event's first word. */
export const EventFlag = {
  keepAlive: 1,
  minor1: 2,
  conditional: 4,
  expectContinue: 8,
  expectOther: 16,
  upgrade: 32,
  contentInline: 64,
  contentStreamed: 128,
  limitLast: 256,
  limitBeyond: 512,
} as const;

/** Keys of `binding.configure`. */
export const ConfigKey = {
  headersTimeoutMs: 0,
  requestTimeoutMs: 1,
  keepAliveTimeoutMs: 2,
  socketTimeoutMs: 3,
  writeTimeoutMs: 4,
  headBytesMax: 5,
  headerCountMax: 6,
  requestsPerConnectionMax: 7,
  connectionsMax: 8,
  noDelay: 9,
  keepAliveProbes: 10,
  keepAliveInitialDelayMs: 11,
  requireHostHeader: 12,
  reportConnections: 13,
  reportRejects: 14,
  acceptUpgrade: 15,
  acceptConnect: 16,
  requestLineBytesMax: 17,
  allowHalfOpen: 18,
} as const;
