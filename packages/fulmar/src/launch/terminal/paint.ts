/**
 * Colours of what is printed: on terminals only, and as the user wants them.
 *
 * Loaded by what prints, never on the way to an application's start.
 */

interface Stream {
  readonly isTTY?: boolean;
}

/**
 * `FORCE_COLOR` (anything but `0` and `false`) wins over `NO_COLOR` (anything but nothing), as in Node. A
 * dumb terminal has none.
 */
export function hasColors({ isTTY }: Stream, env: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: force, NO_COLOR: never, TERM: terminal } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTTY === true && (never === undefined || never === '') && terminal !== 'dumb';
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>;

const escape = (code: number): string => `\u001B[${code}m`;

function toPaint(style: (text: string, on: number, off: number) => string): Paint {
  const painters = Object.entries(codes).map(([name, [on, off]]) => [name, (text: string) => style(text, on, off)]);
  return Object.fromEntries(painters) as Paint;
}

/** For files, pipes and tests. */
export const plain: Paint = toPaint((text) => text);

export function paintFor(stream: Stream): Paint {
  return hasColors(stream, process.env) ? toPaint((text, on, off) => escape(on) + text + escape(off)) : plain;
}
