/**
 * The numbers both sides of the batch agree on. Mirrors `crates/node/src/format.rs`; a unit test compares the two files.
 */

/** Bits of `ReplyFlags`. The engine appends, in Node's order: Date, Connection (and Keep-Alive), Content-Length or Transfer-Encoding. */
export const ReplyFlag = {
  /** Append `Date`. */
  date: 1,
  /** Append `Connection: keep-alive` and `Keep-Alive: timeout=N` (`, max=N` with a request limit). The engine turns it into `close` while draining. */
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
  /** Fill the `W/"…-` + 27 placeholder characters at the end of the block with the SHA-1 of the body (see `Exchange.reply`). */
  etag: 512,
} as const;
