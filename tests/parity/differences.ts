// Every difference between upstream and Fulmar that the parity suites accept, with its reason and how it is made equal.
// The comparison normalises exactly what is listed here and nothing else; a new entry needs a reason from the design.
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
    reason: 'Fulmar keeps idle connections for 72 s, above the 60 s of common load balancers; node:http uses 5 s (65 s from Node 26)',
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
];

/** A reply with every listed difference made equal. */
export function normaliseReply(reply: ReplyOutcome): ReplyOutcome {
  return differences.reduce((now, difference) => difference.apply(now), reply);
}

/** An outcome with every listed difference made equal. */
export function normalise(outcome: Outcome): Outcome {
  return { ...outcome, replies: outcome.replies.map(normaliseReply) };
}
