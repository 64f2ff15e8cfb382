/**
 * Where in the application a route was registered, `file:line`, for errors and lists. Kept as the engine of
 * JavaScript has it: making text of a stack costs more than the registration, and nobody asks for most.
 */

/** Frames of this package's: of its bundles, or of its sources in tests. */
const OURS = /^node:|[\\/](?:dist[\\/](?:lib-)?(?:app|controllers)\.[cm]js|fulmar[\\/]src[\\/](?:app|controllers)[\\/])/;
const FRAME = /(?:\(|at (?:async )?|@)((?:file:\/\/)?[^\s()]+):(\d+):\d+\)?$/;
/** The one below `above`: each more costs time and memory for every route. */
const FRAMES_MAX = 1;

type Captured = { stack?: string };

export class Place {
  #captured: Captured | null;
  #text: string | undefined;

  constructor(captured: Captured | string) {
    this.#captured = typeof captured === 'string' ? null : captured;
    this.#text = typeof captured === 'string' ? captured : undefined;
  }

  /** Undefined where no frame is the application's. */
  get text(): string | undefined {
    if (this.#captured !== null) {
      this.#text = fromStack(this.#captured.stack ?? '');
      this.#captured = null;
    }
    return this.#text;
  }

  toString(): string {
    return this.text ?? 'an unknown place';
  }
}

let told: string | null = null;

/** What is registered meanwhile has this place: no line of the application registers it. */
export function atPlace(text: string, register: () => void): void {
  told = text;
  try {
    register();
  } finally {
    told = null;
  }
}

/** Of who called `above`, a function of ours. */
export function callerPlace(above: (...given: never[]) => unknown): Place {
  if (told !== null) return new Place(told);
  const captured: Captured = {};
  const { stackTraceLimit } = Error;
  // Of an `Error` that was frozen, as hardened applications do, the limit stays what it is.
  const isSet = Reflect.set(Error, 'stackTraceLimit', FRAMES_MAX);
  Error.captureStackTrace(captured, above);
  if (isSet) Error.stackTraceLimit = stackTraceLimit;
  return new Place(captured);
}

function fromStack(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file, at] = FRAME.exec(line.trim()) ?? [];
    if (file !== undefined && !OURS.test(file)) return `${file.replace(/^file:\/\//, '')}:${at}`;
  }
  return undefined;
}
