/**
 * Why an exchange came to no end, as its request is told. Runs everywhere: the exchange without a connection
 * needs it, too.
 */
import { AbortReason } from './format.ts';

const { framing, overflow, contentGone } = AbortReason;

const words: Readonly<Record<number, string>> = {
  [AbortReason.none]: 'the exchange ended',
  [AbortReason.peerClosed]: 'the peer closed the connection',
  [AbortReason.peerReset]: 'the peer reset the connection',
  [AbortReason.host]: 'the server destroyed the connection',
  [AbortReason.timeout]: 'a time limit was reached',
  [framing]: 'the framing of the content is broken',
  [overflow]: 'more than 16 MiB of the reply was buffered and not read',
  [AbortReason.io]: 'the operating system reported an error',
  [contentGone]: 'a buffer that was given as content was detached or made shorter before it was sent',
};

/**
 * What Node gives an aborted message: `Error: aborted`, code `ECONNRESET`. The engine's reason is the cause.
 */
export function abortError(reason: number): Error {
  const error = new Error('aborted', { cause: words[reason] ?? words[AbortReason.none] });
  return Object.assign(error, { code: 'ECONNRESET' });
}
