/**
 * Every difference between upstream and ours that the tables of this folder accept, with its reason and how
 * it is made equal. The comparison changes exactly what is listed here. Never plays a scene.
 */
import {
  after,
  before,
  beyond,
  both,
  byRequest,
  from,
  heldReplies,
  KEPT_AT_ONCE,
  noticedEarlier,
  type Pair,
  replaced,
  standing,
  without,
  withoutPart,
  withoutReplies,
} from './logs.ts';
import type { Log } from './model.ts';
import type { Scene } from './run.ts';

interface Exception {
  readonly name: string;
  readonly reason: string;
  /** What the comparison does. */
  readonly normalised: string;
  readonly in?: (scene: Scene) => boolean;
  readonly apply: (pair: Pair) => Pair;
}

const NODE = Number.parseInt(process.versions.node, 10);
/**
 * Where `end(callback)`, `finish` and the replies behind the first one learn of a lost connection as they do
 * with us.
 */
const NODE_WITH_WORD = 26;
const isSilent = NODE < NODE_WITH_WORD;

const named =
  (...names: readonly (string | RegExp)[]) =>
  ({ state }: Scene): boolean =>
    names.some((name) => (typeof name === 'string' ? name === state.name : name.test(state.name)));

/** What a client got that ended its side too early. */
const REFUSED = /^client: .*400 Bad Request"\], end$/;

/** How a reply ends and what is told of it. */
const REPLY_END = /^(?:res\d+ (?:finish|close) .*|finished\(res\d+\) .*|signal\d+ abort|late write .*|written .*)$/;

/** States in which a reply waits for its client to read. */
const WAITING = /^a huge reply is|^a (?:reply|stream|pipeline) .*held up$/;

const REQUEST_END = /^req\d+ end /;

/**
 * A log without the parser's error at an end in the middle of a message, and what its listener did to the
 * socket.
 */
function endedAsParsed(log: Log): Log {
  const told = without(log, /^(?:server )?clientError HPE_INVALID_EOF_STATE/);
  return told.length < log.length ? without(told, /^its socket closes$/) : log;
}

export const exceptions: readonly Exception[] = [
  {
    name: 'the callback of an end() that comes too late',
    reason:
      'Node does not call it back at all, without an error, or with one, by what was written before and by its version, and before 26 in ' +
      'another place than with `finish`; ours always says what prevented the end',
    normalised: 'callbacks of end() are not compared where the handler ends after the client has left',
    apply: both((log) => without(log, /^late end \d+ called back/)),
  },
  {
    name: 'a reply that is ended when its connection is gone is not finished',
    reason: 'Node says writableFinished, and `finish` when nothing was to be sent any more, of a reply that nobody can have got',
    normalised: 'the word is removed after the client has left, for replies that were written late',
    apply: both((log) => [
      ...before(log, '--- left'),
      ...replaced(
        without(from(log, '--- left'), /^res\d+ finish .* destroyed/),
        /writableEnded writableFinished destroyed/,
        'writableEnded destroyed',
      ),
    ]),
  },
  {
    name: 'replies behind the first one are told',
    reason: 'Node before 26 forgets replies that wait for another one: no `close`, not even `destroyed`; ours does as Node 26',
    normalised: 'before Node 26 nothing of replies is compared that upstream never closes',
    in: () => isSilent,
    apply: ([upstream, ours]) => {
      const numbers = heldReplies(upstream);
      return [withoutReplies(upstream, numbers), withoutReplies(ours, numbers)];
    },
  },
  {
    name: 'replies behind the first one have no error',
    reason: 'Node 26 destroys them with an error and the first one without; ours treats all of them as the first',
    normalised: '`errored` of replies is removed',
    apply: both((log) => replaced(log, /(res\d+ .*) errored=ECONNRESET\]/, '$1]')),
  },
  {
    name: 'the end of a request within its reply',
    reason: 'which of `end` of the request and `close` of the reply comes first differs between versions of Node, whoever leaves',
    normalised: '`end` of requests is not compared before the client leaves, and on Node 26 not after it has left',
    apply: both((log) => [
      ...without(before(log, '--- reached'), REQUEST_END),
      ...before(from(log, '--- reached'), '--- left'),
      ...(isSilent ? from(log, '--- left') : without(from(log, '--- left'), REQUEST_END)),
    ]),
  },
  {
    name: 'an end in the middle of a message',
    reason: 'no parser of ours is asked to finish: the connection closes without a word (difference S21 of the migration guide)',
    normalised: "upstream's clientError HPE_INVALID_EOF_STATE and its 400 to a client that still reads are removed",
    apply: ([upstream, ours]) => {
      const quiet = endedAsParsed(upstream);
      if (!upstream.some((line) => REFUSED.test(line))) return [quiet, ours];
      return [without(quiet, REFUSED), without(ours, /^client: /)];
    },
    in: named(/content|chunk|100 Continue|checkContinue/),
  },
  {
    name: 'a socket that was answered and ended',
    reason: "our reply has left when the peer's end is read, with Node it may still be on its way: the client is gone in both",
    normalised: '`writableFinished` of a socket is not compared at its `end`',
    apply: both((log) => replaced(log, /^(socket\d+ end .*) writableFinished\]/, '$1]')),
  },
  {
    name: 'the number of pipelined requests at handlers',
    reason: `ours hands out ${KEPT_AT_ONCE} requests of a connection at once and leaves the rest to the operating system; Node has no such bound`,
    normalised: `requests beyond ${KEPT_AT_ONCE} are not compared`,
    in: named(/^40 /),
    apply: both(beyond),
  },
  {
    name: 'noticed earlier: large replies behind a request that waits',
    reason: 'Node stops reading while more than its high water mark is held, so that it does not see the client go; ours does',
    normalised: 'only what is left at the end is compared, and that ours has no connection any more when the client has left',
    in: (scene) =>
      named(
        'large replies are held behind a request that waits',
        'a reply is given while half of large content has come',
        /^40 requests of which/,
      )(scene) ||
      (scene.leave !== 'half-close' && named('a huge reply is written and ended')(scene)),
    apply: ([upstream, ours]) => noticedEarlier(upstream, ours),
  },
  {
    name: 'the end of a side while a reply waits for the client',
    reason: 'ours reads the end of a client behind the reply that is on its way to it; with Node the socket has `end` at once',
    normalised: '`end` of the socket is not compared',
    in: ({ state, leave }) => leave === 'half-close' && WAITING.test(state.name),
    apply: both((log) => without(log, /^socket\d+ end/)),
  },
  {
    name: 'what is written while a reply waits for a client that has ended its side',
    reason: 'Node has ended the socket at once, and loses it; ours sends it behind the reply that is on its way',
    normalised: 'how a reply ends that the handler ends after the client has left, while another write waits',
    in: ({ state, leave }) => leave === 'half-close' && /^a huge reply is (?:written and not ended|not drained)/.test(state.name),
    apply: both((log) => after(log, '--- left', (part) => without(part, REPLY_END))),
  },
  {
    name: 'the callback of end() beside `finish`',
    reason: 'before Node 26 it is called after the listeners of `finish` when a write was held up, else before them; ours: always before',
    normalised: 'before Node 26 the line of the callback is not compared where the client took the whole reply',
    in: (scene) => isSilent && scene.leave === 'half-close' && named('a huge reply is written and ended')(scene),
    apply: both((log) => without(log, /^end called back$/)),
  },
  {
    name: 'content that nobody asks for',
    reason: 'Node reads it up to its high water mark and says that the request is complete; ours leaves it to the operating system',
    normalised: '`complete` of the request is not compared where the content came in a packet of its own',
    in: named('small content is there in a second packet and not asked for'),
    apply: both((log) => replaced(log, / ?\bcomplete\b/, '')),
  },
  {
    name: 'a refusal behind a request that waits',
    reason:
      'without a clientError listener Node answers the bytes it cannot parse at once and drops the requests before them; ours answers ' +
      'these first, and refuses when they are answered or the client has left',
    normalised: 'that the connection is open until the client leaves',
    in: (scene) => scene.watching !== 'everything' && named('a request waits and bytes that are no request follow')(scene),
    apply: both((log) => withoutPart(log, '--- reached')),
  },
  {
    name: 'an upgraded socket whose client is gone',
    reason:
      'Node does not read any more after `end`: that the client has answered with a reset to what was written late it sees when ' +
      'the application ends the socket; ours has `close` at once, without an error either',
    normalised: '`close` and the flags of the socket are not compared after the client has left; an `error` would be',
    in: (scene) =>
      scene.leave === 'close' &&
      named(/^an upgrade listener|^an upgraded socket (?:idles|is read|is paused$)|^a connect listener|^a tunnel/)(scene),
    apply: both((log) => after(log, '--- left', (part) => without(part, /^(?:socket\d+ close \[|now owned)/))),
  },
  {
    name: 'a huge reply that was lost is not finished',
    reason: 'Node before 26 says `finish` of a reply whose write failed; ours says, as Node 26, that the request was aborted',
    normalised: 'before Node 26 only the connections are compared',
    in: (scene) => isSilent && named(/^a huge reply is (given|not drained)/)(scene),
    apply: both((log) => log.filter((line) => line.startsWith('connections'))),
  },
  {
    name: 'the callback of a write that failed',
    reason: 'Node 20 calls back without an error, Node 26 with ECANCELED, ours with the ECONNRESET that is the reason',
    normalised: 'callbacks of write() are not compared where the handler wrote before the client left',
    in: named(/^a huge reply is written/),
    apply: both((log) => without(log, /^written /)),
  },
  {
    name: 'pipelined messages without a socket',
    reason:
      'Node aborts all requests of a connection and then tells the replies; ours does so when somebody has asked for the socket, and ' +
      'else tells one pair of messages after the other',
    normalised: 'without a socket, lines are ordered by request; their order within a request is compared',
    in: (scene) => scene.watching !== 'everything' || scene.state.name === 'a huge reply is not drained and a request waits behind it',
    apply: both(byRequest),
  },
  {
    name: 'the server closes with its last connection',
    reason: 'both come from the same event of the engine; which is told first says nothing',
    normalised: '`close` of the server is compared without its place',
    in: named('a handler waits and server.close() was called'),
    apply: both((log) => [...without(log, /^server close$/), ...log.filter((line) => line === 'server close')]),
  },
  {
    name: 'what a corked reply held',
    reason: 'Node sends it when it ends the connection of a client that ended its side; ours aborts the reply, and sends nothing of it',
    normalised: 'what the client got is not compared',
    in: named('a reply is corked'),
    apply: both((log) => without(log, /^client: /)),
  },
  {
    name: 'large content that stands still',
    reason:
      'Node does not read on while nobody takes content, so that it sees no end and no reset behind it until the handler answers, and ' +
      'then what it sees first is chance; ours may see a reset at once, and closes after a reply instead of reading what is left',
    normalised: 'the way to the state, and for an orderly leave what is noticed of it, and that no connection is left in the end',
    in: named(
      /^(half of )?large content has come and is (not asked for|paused)/,
      'a request follows large content nobody asks for',
      'a reply is given while half of large content is paused',
    ),
    apply: both(standing),
  },
  {
    name: 'a reset that is seen although nobody reads',
    reason: 'Node sees a reset only when it reads or writes; ours at once, behind content that stands still and behind the end of a peer',
    normalised: 'only the connections left in the end are compared where Node sees nothing until the handler answers',
    in: ({ state, leave }) =>
      leave === 'reset' &&
      /^(half of )?large content has come and is (not asked for|paused)|large content nobody|large content is paused/.test(state.name),
    apply: both((log) => [...before(log, '--- reached'), ...log.slice(-1)]),
  },
  {
    name: 'the end of a side with httpAllowHalfOpen',
    reason: 'the engine tells a socket while HTTP runs that its connection is closed, not that one side of it is',
    normalised: '`end` and `close` of the socket are not compared',
    in: named(/httpAllowHalfOpen$/),
    apply: both((log) => without(log, /^socket\d+ (end|close)/)),
  },
  {
    name: 'idle connections when the server closes',
    reason: "ours has them closed by the engine, in order, so that their socket has `end` before `close`; Node's are destroyed",
    normalised: '`end` and the flags of such a socket are not compared',
    in: named('a connection idles and server.close() was called'),
    apply: both((log) => replaced(without(log, /^socket\d+ end/), /^(socket\d+ close).*/, '$1')),
  },
];

/** Both logs as they are compared. */
export function compared(scene: Scene, upstream: Log, ours: Log): Pair {
  return exceptions
    .filter((exception) => exception.in?.(scene) ?? true)
    .reduce<Pair>((pair, exception) => exception.apply(pair), [upstream, ours]);
}
