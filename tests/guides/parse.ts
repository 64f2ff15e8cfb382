/** What of a guide is to be done: its sections with files, commands and what these print. `guide.ts` tells how a guide is marked up. */

export interface FileStep {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

export interface CommandStep {
  readonly kind: 'command';
  readonly text: string;
  /** Stays until the end of the section. */
  readonly isServer: boolean;
  /** Lines that are printed, in this order, maybe among others. */
  output: readonly string[];
}

export type Step = FileStep | CommandStep;

export interface Section {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Guide {
  readonly introduction: readonly Step[];
  readonly sections: readonly Section[];
}

interface Block {
  readonly info: string;
  readonly text: string;
  readonly line: number;
}

/** Throws for a block that says nothing of what it is: nothing of a guide is left out by accident. */
export function parseGuide(markdown: string): Guide {
  const introduction: Step[] = [];
  const sections: { title: string; steps: Step[] }[] = [];
  let steps = introduction;
  let isLeftOut = false;
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const title = /^## (.*)/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, steps: (steps = []) });
    if (/^<!-- not run: \S.* -->$/.test(line)) isLeftOut = true;
    const info = /^```(.*)/.exec(line)?.[1];
    if (info === undefined) continue;
    const end = lines.indexOf('```', index + 1);
    if (end === -1) throw new Error(`the block of line ${index + 1} has no end`);
    if (!isLeftOut) addBlock(steps, { info, text: lines.slice(index + 1, end).join('\n'), line: index + 1 });
    isLeftOut = false;
    index = end;
  }
  return { introduction, sections };
}

function addBlock(steps: Step[], { info, text, line }: Block): void {
  const name = /^\w+ title="([^"]+)"$/.exec(info)?.[1];
  const last = steps.at(-1);
  if (name !== undefined) steps.push({ kind: 'file', name, text: `${text}\n` });
  else if (info === 'sh' || info === 'sh server') steps.push({ kind: 'command', text, isServer: info === 'sh server', output: [] });
  else if (info === 'text output' && last?.kind === 'command') last.output = text.split('\n').map((shown) => shown.trim());
  else
    throw new Error(
      `the block of line ${line} is marked "${info}": it is neither a file, nor commands, nor what the commands before it print`,
    );
}

/** The first line of `expected` that `printed` does not have behind the ones before; `undefined` where all are there. */
export function missingLine(expected: readonly string[], printed: string): string | undefined {
  const lines = printed.split('\n').map((line) => line.trim());
  let from = 0;
  for (const line of expected) {
    const pattern = new RegExp(
      `^${line
        .split('…')
        .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
        .join('.*')}$`,
    );
    const found = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate));
    if (found === -1) return line;
    from = found + 1;
  }
  return undefined;
}
