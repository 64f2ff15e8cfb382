/**
 * Keeps V8's young generation small, for as long as the application leaves little behind.
 *
 * Part of `fulmar run`, while requests are served; loads nothing before the first reply. V8 doubles the young
 * generation, up to 48 MB, whenever enough has survived in it, and a server that answers many requests a
 * second always has some in flight. Each of these doublings costs memory and gains nothing where a request's
 * objects are garbage as soon as it is answered. Where the application keeps them longer (they are moved to
 * the old generation, which grows), V8 gets its way.
 */
import { defineGlobal, removeGlobal } from '../../host/globals.ts';

/** What of the old generation's growth is a sign that the young one is too small, in bytes a second … */
const PROMOTED_MAX = 4 * 1024 * 1024;
/** … when so many more looks see it than see none … */
const LOOKS_MAX = 3;
/**
 * … which are so far apart at the least, in ms: often enough to see it between two collections of the old
 * generation, which hide it.
 */
const LOOK_MS = 100;
/** Before that, V8 still compiles the application, and promotes much whatever its requests leave, in ms. */
const WARM_UP_MS = 500;

/**
 * The young generation may grow to 4 MB, in bytes; V8 keeps a little of it to itself. Half of it is 3 MB
 * less, and twice the time in collections: 0.5 µs of a hello's 11 µs (docs/internals/memory.md).
 */
const YOUNG_BYTES = 3.5 * 1024 * 1024;

const STAY = '--semi-space-growth-factor=1';
/** V8's own. */
const GROW = '--semi-space-growth-factor=2';

/**
 * V8 makes objects old from the start where those of the same place in the code outlived two collections, as
 * in a busy moment they do. Dead old objects keep young ones alive, so then each request's whole graph is
 * copied twice and promoted.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

type V8 = typeof import('node:v8');

/** What the engine calls behind the first replies, and when it has received another few hundred requests. */
class YoungGeneration {
  #v8: V8 | undefined;
  #stays = false;
  #oldBytes = Number.POSITIVE_INFINITY;
  #lookedAt = 0;
  #tooSmall = 0;

  look(now: number): void {
    if (this.#v8 === undefined) this.#begin(process.getBuiltinModule('node:v8'), now);
    else if (!this.#stays) this.#hold(this.#v8, now);
    else if (now - this.#lookedAt >= LOOK_MS) this.#judge(this.#v8, now);
  }

  #begin(v8: V8, now: number): void {
    this.#v8 = v8;
    v8.setFlagsFromString(NO_PRETENURING);
    this.#hold(v8, now);
  }

  #hold(v8: V8, now: number): void {
    const young = spaceOf(v8, 'new_space');
    if (young === undefined || young.space_used_size + young.space_available_size < YOUNG_BYTES) return;
    this.#stays = true;
    // The first look behind it has nothing to compare with.
    this.#oldBytes = Number.POSITIVE_INFINITY;
    this.#lookedAt = now + WARM_UP_MS;
    v8.setFlagsFromString(STAY);
  }

  #judge(v8: V8, now: number): void {
    const bytes = oldBytes(v8);
    const perSecond = ((bytes - this.#oldBytes) * 1_000) / (now - this.#lookedAt);
    this.#oldBytes = bytes;
    this.#lookedAt = now;
    if (perSecond > PROMOTED_MAX) this.#tooSmall++;
    // Where it has shrunk, a collection has hidden what was promoted before it: that tells nothing.
    else if (perSecond >= 0) this.#tooSmall = Math.max(0, this.#tooSmall - 1);
    if (this.#tooSmall < LOOKS_MAX) return;
    v8.setFlagsFromString(GROW);
    removeGlobal('fulmar.traffic');
  }
}

function spaceOf(v8: V8, name: string): ReturnType<V8['getHeapSpaceStatistics']>[number] | undefined {
  return v8.getHeapSpaceStatistics().find((space) => space.space_name === name);
}

function oldBytes(v8: V8): number {
  return spaceOf(v8, 'old_space')?.space_used_size ?? 0;
}

/** Whoever sets the size of the young generation has decided. */
function isDecided(): boolean {
  return `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`.replaceAll('_', '-').includes('semi-space');
}

export function keepYoungGenerationSmall(): void {
  if (isDecided()) return;
  const generation = new YoungGeneration();
  defineGlobal('fulmar.traffic', { value: () => generation.look(Date.now()), configurable: true });
}
