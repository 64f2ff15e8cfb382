/**
 * An error as the terminal shows it: class, message and code, the source around the application's first frame with a
 * caret, its frames, then what caused it. Writes text; where it goes is the caller's.
 */
import { paintFor, type Paint } from '../launch/terminal/paint.ts';
import { type Failure, toText } from './failure.ts';
import { FRAMES_TERMINAL_MAX, LINES_AROUND_TERMINAL, REPEAT_MS } from './limits.ts';
import { beforeCaret, linesAround, shortPath, type SourceLine } from './source.ts';
import type { Frame } from './stack.ts';
import type { Output } from './types.ts';

const TITLE_CHARS_MAX = 300;

/** Prints errors, the same one in full only once for a while. */
export class Terminal {
  readonly #output: Output;
  readonly #root: string;
  #last = '';
  #lastAt = 0;

  constructor(output: Output, root: string) {
    this.#output = output;
    this.#root = root;
  }

  /** `title`: what failed, as `GET /birds`. */
  print(title: string, failure: Failure): void {
    const paint = paintFor(this.#output);
    const text = toTerminal(failure, this.#root, paint);
    const now = Date.now();
    const isSame = text === this.#last && now - this.#lastAt < REPEAT_MS;
    this.#last = text;
    this.#lastAt = now;
    const head = `${paint.red('✗')} ${paint.bold(toText(title, TITLE_CHARS_MAX).replaceAll('\n', ' '))}`;
    const rest = isSame ? `  ${paint.dim(`${failure.name} as above`)}\n` : `\n${text}\n`;
    this.#write(`${head}${rest}`);
  }

  /** What comes next is shown in full. */
  forget(): void {
    this.#last = '';
  }

  #write(text: string): void {
    try {
      this.#output.write(text);
    } catch {
      // Nobody reads it any more.
    }
  }
}

export function toTerminal(failure: Failure, root: string, paint: Paint): string {
  return `${lines(failure, { root, paint, indent: '', shown: new Set() }).join('\n')}\n`;
}

interface Writing {
  readonly root: string;
  readonly paint: Paint;
  readonly indent: string;
  /** Places whose source stands above. */
  readonly shown: Set<string>;
}

function lines(failure: Failure, writing: Writing): string[] {
  const { paint, indent } = writing;
  const code = failure.code === null ? '' : paint.dim(` (${failure.code})`);
  const [first = '', ...more] = failure.message.split('\n');
  const own = [
    `${paint.red(failure.name)}${first === '' ? '' : `: ${first}`}${code}`,
    ...more,
    ...sourceOf(failure.frames, writing),
    ...framesOf(failure.frames, writing),
    ...(failure.note === null ? [] : [paint.dim(failure.note)]),
  ];
  const inner = { ...writing, indent: `${indent}  ` };
  const causes = failure.cause === null ? [] : [`${indent}  ${paint.bold('caused by')}`, ...lines(failure.cause, inner)];
  const errors = failure.errors.flatMap((error, at) => [`${indent}  ${paint.bold(`error ${at + 1}`)}`, ...lines(error, inner)]);
  return [...own.map((line) => (line === '' ? '' : `${indent}  ${line}`)), ...errors, ...causes];
}

/** Of the first frame that has a source in the project. */
function sourceOf(frames: readonly Frame[], { root, paint, shown: places }: Writing): string[] {
  for (const frame of frames) {
    const found = frame.owner === 'application' ? linesAround(root, frame, LINES_AROUND_TERMINAL) : [];
    if (found.length > 0) return drawn(frame, found, { paint, places });
  }
  return [];
}

function drawn(frame: Frame, found: readonly SourceLine[], { paint, places }: { paint: Paint; places: Set<string> }): string[] {
  const place = `${frame.file}:${frame.line}`;
  if (places.has(place)) return [];
  places.add(place);
  const width = String(found.at(-1)?.number).length;
  const shown = found.flatMap(({ number, text, isMeant }) => {
    const line = `${isMeant ? '>' : ' '} ${String(number).padStart(width)} | ${toText(text, text.length)}`;
    if (!isMeant) return [paint.dim(line)];
    // Behind what is shown of a line that is too long.
    if (frame.column > text.length + 1) return [line];
    const before = beforeCaret(text, frame.column);
    return [line, paint.red(`  ${' '.repeat(width)} | ${before}^`)];
  });
  return ['', ...shown, ''];
}

function framesOf(frames: readonly Frame[], { root, paint }: Writing): string[] {
  const own = frames.filter(({ owner }) => owner === 'application');
  const others = frames.length - Math.min(own.length, FRAMES_TERMINAL_MAX);
  const shown = own.slice(0, FRAMES_TERMINAL_MAX).map(({ name, file, line, column }) => {
    const place = `${toText(shortPath(root, file), file.length)}:${line}:${column}`;
    return `at ${name === '' ? place : `${name} (${place})`}`;
  });
  const rest =
    others > 0
      ? [paint.dim(`${shown.length === 0 ? '' : 'and '}${others} ${others === 1 ? 'frame' : 'frames'} of packages, Fulmar and Node`)]
      : [];
  return [...shown, ...rest];
}
