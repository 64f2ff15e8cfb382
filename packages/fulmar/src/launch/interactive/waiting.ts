/**
 * Who a process that drains waits for: how many requests, and which. Asks nothing of a request before that.
 */
import { connectionCount } from '../lifecycle/servers.ts';
import { tell } from '../terminal/tell.ts';
import { removeGlobal, setGlobal } from '../../host/globals.ts';

/** A request that is not answered yet. */
export interface OpenRequest {
  readonly method: string;
  readonly target: string;
}

/** Requests that end within this time are not worth a line. */
const FIRST_MS = 200;
/** … and it is said again this often. */
const AGAIN_MS = 5_000;
const MS_PER_S = 1_000;
/** Requests that are named. */
const NAMED_MAX = 3;
const TARGET_MAX = 60;

/** Returns a function that tells of the requests that are open when it is called. */
export function watchRequests(): () => readonly OpenRequest[] {
  let ask = (): readonly OpenRequest[] => [];
  setGlobal('fulmar.request-watcher', (given) => {
    removeGlobal('fulmar.request-watcher');
    ask = given as typeof ask;
  });
  return () => ask();
}

/** Until the process ends. */
export function tellWaiting(openRequests: () => readonly OpenRequest[], limitMs: number): void {
  const end = performance.now() + limitMs;
  const look = (): void => {
    const text = describeWaiting(openRequests(), connectionCount());
    const leftS = Math.round(Math.max(0, end - performance.now()) / MS_PER_S);
    if (text !== undefined) tell(`waiting for ${text}, ${leftS} s at most; Ctrl-C ends at once`);
    setTimeout(look, AGAIN_MS).unref();
  };
  setTimeout(look, FIRST_MS).unref();
}

/** `undefined`: for nobody. */
export function describeWaiting(requests: readonly OpenRequest[], connections: number): string | undefined {
  if (requests.length === 0) return connections === 0 ? undefined : count(connections, 'connection');
  const named = requests.slice(0, NAMED_MAX).map(({ method, target }) => `${method} ${shown(target)}`);
  const more = requests.length - named.length;
  return `${count(requests.length, 'request')} (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

const count = (number: number, noun: string): string => `${number} ${number === 1 ? noun : `${noun}s`}`;

/** A peer has written it: nothing in it may do something to the terminal. */
function shown(target: string): string {
  const visible = target.replaceAll(/[^\x21-\x7e]/g, '?');
  return visible.length > TARGET_MAX ? `${visible.slice(0, TARGET_MAX - 1)}…` : visible;
}
