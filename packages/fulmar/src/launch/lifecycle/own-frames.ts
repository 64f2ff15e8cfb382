/**
 * Errors of the application without traces of this command: the stack has no frames of ours, and Node shows
 * no source line of ours.
 *
 * For what `require` throws, and for errors that are about to end the process. Touches no other.
 */

/**
 * So many frames lie at most between the application's call and Node's own loader: ours, and those of Node's
 * hooks.
 */
const FRAMES_MORE = 12;
/** What Node puts between its loader and hooks, none of which it has for a program without them. */
const HOOK_FRAMES = 'node:internal/modules/customization_hooks:';

export class OwnFrames {
  /** What stands in a frame of ours. */
  readonly #marks: readonly string[];

  /** `bundleFile`: `dist/cli.cjs`, which holds the hooks. */
  constructor(bundleFile: string) {
    const root = bundleFile.replace(/[^\\/]*[\\/][^\\/]*$/, '');
    this.#marks = [bundleFile, ...['fulmar.cjs', 'preload.cjs'].map((name) => `${root}bin/${name}`), HOOK_FRAMES];
  }

  /** Removes them from the stack of `error`, whatever it is; of the others `framesMax` are left. */
  hide(error: unknown, framesMax: number): void {
    if (!(error instanceof Error)) return;
    try {
      const { stack } = error;
      if (typeof stack !== 'string' || !this.#isIn(stack)) return;
      let frames = 0;
      const isShown = (line: string): boolean => !/^ {4}at /.test(line) || (!this.#isIn(line) && ++frames <= framesMax);
      error.stack = stack.split('\n').filter(isShown).join('\n');
    } catch {
      // A stack that somebody has made their own.
    }
  }

  /**
   * Calls `find`, and throws what it throws as if it had been called by the application. `instead` may know
   * another result.
   */
  call<Found>(find: () => Found, instead: (error: unknown) => Found | undefined): Found {
    const { stackTraceLimit } = Error;
    const isLimited = typeof stackTraceLimit === 'number' && stackTraceLimit > 0;
    // Not by assignment: it may be frozen.
    if (isLimited) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit + FRAMES_MORE);
    let failure: unknown;
    try {
      return find();
    } catch (error) {
      failure = error;
    } finally {
      if (isLimited) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    }
    const other = instead(failure);
    if (other !== undefined) return other;
    this.hide(failure, isLimited ? stackTraceLimit : Infinity);
    throw quietly('node-do-not-add-exception-line', failure);
  }

  #isIn(text: string): boolean {
    return this.#marks.some((mark) => text.includes(mark));
  }
}

/** Node shows the source line that threw, unless it reads this in it. */
function quietly(_mark: 'node-do-not-add-exception-line', error: unknown): unknown {
  return error;
}
