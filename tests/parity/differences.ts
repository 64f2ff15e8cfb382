/**
 * Every difference between upstream and Fulmar that the parity suites accept, with its reason and how it is
 * made equal. The comparison normalises exactly what is listed here and nothing else; a new entry needs a
 * reason from the design.
 */
import type { Outcome, ReplyOutcome } from './harness/case.ts';

export interface Difference {
  readonly name: string;
  readonly reason: string;
  /** What the comparison does on both sides. */
  readonly normalised: string;
  readonly apply: (reply: ReplyOutcome) => ReplyOutcome;
}

type Field = readonly [string, string];

const mapHeaders = (reply: ReplyOutcome, map: (field: Field) => Field): ReplyOutcome => ({
  ...reply,
  headers: reply.headers.map(map),
});

const isNamed = (field: Field, name: string): boolean => field[0].toLowerCase() === name;

/** Stack frames as the default error page (`<br> &nbsp; &nbsp;at …`) and plain text show them. */
const HTML_FRAMES = /(<br> &nbsp; &nbsp;at [^<]*)+/g;
const TEXT_FRAMES = /(\n {4}at [^\n]*)+/g;
const FRAMES = '[stack frames]';

/** A reply to HEAD has only the length of the page, so it cannot be told whether frames are in it. */
function isErrorPageHead(reply: ReplyOutcome): boolean {
  if (reply.framing !== 'none' || !/^HTTP\/1\.1 [45]/.test(reply.statusLine) || reply.statusLine.includes(' 404 ')) return false;
  return reply.headers.some((field) => isNamed(field, 'content-security-policy') && field[1] === "default-src 'none'");
}

function withoutFrames(reply: ReplyOutcome): ReplyOutcome {
  const body = reply.body.replace(HTML_FRAMES, FRAMES).replace(TEXT_FRAMES, FRAMES);
  if (body === reply.body && !isErrorPageHead(reply)) return reply;
  const counted = mapHeaders(reply, (field) => (isNamed(field, 'content-length') ? [field[0], '[length]'] : field));
  return { ...counted, body };
}

/** The list of files in the message of a module that cannot be found, in JSON, HTML and plain text. */
const REQUIRE_STACKS = [
  /,?"requireStack":\[[^\]]*\]/g,
  /\\nRequire stack:(\\n- [^"\\]*)+/g,
  /<br>Require stack:(<br>- [^<]*)+/g,
  /\nRequire stack:(\n- [^\n]*)+/g,
];

function withoutRequireStack(reply: ReplyOutcome): ReplyOutcome {
  const body = REQUIRE_STACKS.reduce((text, pattern) => text.replace(pattern, ''), reply.body);
  if (body === reply.body) return reply;
  const counted = mapHeaders(reply, (field) =>
    isNamed(field, 'content-length') || isNamed(field, 'etag') ? [field[0], '[of a require stack]'] : field,
  );
  return { ...counted, body };
}

/** A reply that was cut off is kept as text; its date and keep-alive lines are made equal like fields. */
function withoutPartialDates(reply: ReplyOutcome): ReplyOutcome {
  if (reply.partial === undefined) return reply;
  const partial = reply.partial
    .replace(/\r\nDate: [^\r]{29}\r/g, '\r\nDate: [date]\r')
    .replace(/timeout=(5|65|72)\b/g, 'timeout=[default]');
  return { ...reply, partial };
}

export const differences: readonly Difference[] = [
  {
    name: 'Date',
    reason: 'the two replies are made at different times',
    normalised: 'the value of `Date` is replaced when it is an IMF-fixdate; its presence, position and form are compared',
    apply: (reply) =>
      mapHeaders(reply, (field) =>
        isNamed(field, 'date') && /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(field[1]) ? [field[0], '[date]'] : field,
      ),
  },
  {
    name: 'keep-alive timeout',
    reason: 'Fulmar keeps idle connections for 72 s, above the 60 s of common load balancers; node:http uses 5 s, some versions 65 s',
    normalised: 'the default in `Keep-Alive: timeout=N` is replaced; any other value is compared',
    apply: (reply) =>
      mapHeaders(reply, (field) =>
        isNamed(field, 'keep-alive') ? [field[0], field[1].replace(/^timeout=(5|65|72)\b/, 'timeout=[default]')] : field,
      ),
  },
  {
    name: 'stack frames',
    reason: 'development error pages show the stack; the files and functions of upstream and of Fulmar are not the same',
    normalised:
      'runs of `at …` lines become one mark, and Content-Length of such a reply, or of HEAD for it, is not compared; the message is',
    apply: withoutFrames,
  },
  {
    name: 'require stack',
    reason: 'a view engine that cannot be found is reported by Node with the list of files that asked for it, which are not the same',
    normalised: 'the list is removed from such messages, and Content-Length and ETag of such a reply are not compared',
    apply: withoutRequireStack,
  },
  {
    name: 'date and keep-alive of a reply that was cut off',
    reason: 'as above, in the text kept of an unfinished reply',
    normalised: 'the two values are replaced',
    apply: withoutPartialDates,
  },
];

/** What differs in the whole outcome of a program, not in one of its replies. */
export interface OutcomeDifference {
  readonly name: string;
  readonly reason: string;
  /** What the comparison accepts. */
  readonly accepted: string;
}

export const outcomeDifferences = {
  consoleFrames: {
    name: 'stack frames on the console',
    reason: "Express 4 prints an error's stack as text; the files and functions of upstream and of Fulmar are not the same",
    accepted: 'lines `at …` inside console output are removed; the message is compared',
  },
  urlParseWarning: {
    name: 'the warning about url.parse()',
    reason:
      'Node 26 warns of url.parse() (DEP0169) when its caller is outside node_modules; upstream is inside, as is an installed Fulmar, ' +
      'but the tests run ours from the repository',
    accepted: 'console lines with that code are removed',
  },
  pipelinedBeforeDestroy: {
    name: 'pipelined replies in front of one whose connection is destroyed',
    reason:
      'destroying the socket throws away what node:http has not written yet; Fulmar hands finished replies to the engine as they become ready, so that earlier ones may be on their way already',
    accepted: 'to pipelined requests, ours may have more complete replies than upstream where upstream has only a closed connection',
  },
} as const satisfies Readonly<Record<string, OutcomeDifference>>;

const CONSOLE_FRAMES = /\n {4}at [^\n]*/g;

function withoutUrlParseWarning(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.includes('[DEP0169] DeprecationWarning: `url.parse()`'));
}

const isComplete = (reply: ReplyOutcome): boolean => reply.failure === undefined;
const isClosed = (reply: ReplyOutcome): boolean => reply.failure === 'closed' && reply.partial === undefined;

/**
 * The outcome of pipelined requests on our side, without the replies that upstream lost when it destroyed the
 * connection (`pipelinedBeforeDestroy`). Anything else stays as it is, to be found different.
 */
export function withoutReplyLoss(upstream: Outcome, ours: Outcome): Outcome {
  const answered = upstream.replies.findIndex((reply) => !isComplete(reply));
  if (answered === -1 || !upstream.replies.slice(answered).every(isClosed)) return ours;
  const shared = JSON.stringify(ours.replies.slice(0, answered)) === JSON.stringify(upstream.replies.slice(0, answered));
  const rest = ours.replies.slice(answered);
  const ending = rest.findIndex((reply) => !isComplete(reply));
  if (!shared || ending < 1 || !rest.slice(ending).every(isClosed)) return ours;
  return { ...ours, replies: upstream.replies };
}

/** A reply with every listed difference made equal. */
export function normaliseReply(reply: ReplyOutcome): ReplyOutcome {
  return differences.reduce((now, difference) => difference.apply(now), reply);
}

/** An outcome with every listed difference made equal. */
export function normalise(outcome: Outcome): Outcome {
  const console = withoutUrlParseWarning(outcome.console).map((line) => line.replace(CONSOLE_FRAMES, ''));
  return { ...outcome, replies: outcome.replies.map(normaliseReply), console };
}
