/**
 * The asynchronous context: the frame (`AsyncLocalStorage`'s values) that the running code belongs to. As
 * long as nobody uses `AsyncLocalStorage`, `active` is false and nothing is captured.
 */
import ops from 'fulmar:ops';

type Resume = (this: object, value?: unknown) => unknown;

export const context = {
  /** Set once somebody uses `AsyncLocalStorage`. */
  active: false,
  get(): unknown {
    return ops.asyncFrame();
  },
  set(frame: unknown): void {
    ops.setAsyncFrame(frame);
  },
  /** Sets the frame and returns the one before. */
  swap(frame: unknown): unknown {
    const before = ops.asyncFrame();
    ops.setAsyncFrame(frame);
    return before;
  },
  /** The frame stays until the running functions end, also where they wait. */
  enter(frame: unknown): void {
    ops.enterAsyncFrame(frame);
  },
  /** From now on frames are captured with promises, ticks, timers and callbacks. */
  activate(): void {
    if (this.active) return;
    ops.trackAsyncFrames();
    keepFramesOfGenerators();
    this.active = true;
  },
};

/** An async generator goes on in the frame of who asked for the value. */
function keepFramesOfGenerators(): void {
  const own = Object.getPrototypeOf((async function* () {})()) as object;
  const owner = Object.getPrototypeOf(own) as Record<string, Resume>;
  for (const name of ['next', 'return', 'throw']) {
    const original = owner[name];
    if (typeof original !== 'function') continue;
    const { [name]: replacement } = {
      [name](this: object, value?: unknown): unknown {
        ops.stampAsyncFrame(this);
        return original.call(this, value);
      },
    };
    Object.defineProperty(owner, name, { value: replacement, writable: true, enumerable: false, configurable: true });
  }
}
