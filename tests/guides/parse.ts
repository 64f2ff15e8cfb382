/**
 * The one reader of guides (`docs/guide/*.md`). `parseGuide` makes of a page what is to be done, section by
 * section, and `guide.ts` does it; its head tells how a page is marked up. `readGuide` hands out the titled
 * blocks of a page whose test plays them itself, because no shell can.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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

export interface Sections {
  readonly introduction: readonly Step[];
  readonly sections: readonly Section[];
}

export interface Block {
  /** What follows the fence: the language and how the block is marked. */
  readonly info: string;
  /** Of an info that is a language and a title. */
  readonly title: string | undefined;
  /** Every line with its end, without the indentation of the fence. */
  readonly text: string;
  /** Of the page, from 1. */
  readonly line: number;
  /** The `##` that it stands below; the introduction has none. */
  readonly section: number | undefined;
  /** It is marked as one that is not run. */
  readonly isLeftOut: boolean;
}

export interface Blocks {
  /** The titles of all `##`. */
  readonly sections: readonly string[];
  readonly blocks: readonly Block[];
}

const FENCE = /^( *)(`{3,})([^`]*)$/;
const LEFT_OUT = /^ *<!-- not run: \S.* -->$/;

/**
 * Every fenced block of a page, wherever it stands: also within a list. Throws for one that has no end, and
 * for a mark that no block follows.
 */
export function readBlocks(markdown: string): Blocks {
  const sections: string[] = [];
  const blocks: Block[] = [];
  /** The line of a mark whose block has not come yet. */
  let mark: number | undefined;
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const fence = FENCE.exec(line);
    if (fence === null) {
      if (mark !== undefined && line.trim() !== '') throw new Error(`the mark of line ${mark} is not before a block`);
      const title = /^## (.*)/.exec(line)?.[1];
      if (title !== undefined) sections.push(title);
      if (LEFT_OUT.test(line)) mark = index + 1;
      continue;
    }
    const { inner, end } = innerLines(lines, index, fence);
    const [, , , info = ''] = fence;
    blocks.push({
      info,
      title: /^\w+ title="([^"]+)"$/.exec(info)?.[1],
      text: inner.map((one) => `${one}\n`).join(''),
      line: index + 1,
      section: sections.length === 0 ? undefined : sections.length - 1,
      isLeftOut: mark !== undefined,
    });
    mark = undefined;
    index = end;
  }
  if (mark !== undefined) throw new Error(`the mark of line ${mark} is not before a block`);
  return { sections, blocks };
}

/**
 * The lines of the block that begins with line `start`, and the line that ends it: a fence as long, or
 * longer.
 */
function innerLines(
  lines: readonly string[],
  start: number,
  [, indent = '', ticks = '']: RegExpExecArray,
): { inner: string[]; end: number } {
  const closing = new RegExp(`^ *\`{${ticks.length},} *$`);
  const end = lines.findIndex((line, index) => index > start && closing.test(line));
  if (end === -1) throw new Error(`the block of line ${start + 1} has no end`);
  const indentation = new RegExp(`^ {0,${indent.length}}`);
  return { inner: lines.slice(start + 1, end).map((line) => line.replace(indentation, '')), end };
}

/** Throws for a block that says nothing of what it is: nothing of a guide is left out by accident. */
export function parseGuide(markdown: string): Sections {
  const { sections: titles, blocks } = readBlocks(markdown);
  const introduction: Step[] = [];
  const sections = titles.map((title) => ({ title, steps: [] as Step[] }));
  for (const block of blocks) {
    const steps = block.section === undefined ? introduction : sections[block.section]!.steps;
    if (!block.isLeftOut) addBlock(steps, block);
  }
  return { introduction, sections };
}

function addBlock(steps: Step[], { info, title, text, line }: Block): void {
  const last = steps.at(-1);
  if (title !== undefined) steps.push({ kind: 'file', name: title, text });
  else if (info === 'sh' || info === 'sh server')
    steps.push({ kind: 'command', text: text.trimEnd(), isServer: info === 'sh server', output: [] });
  else if (info === 'text output' && last?.kind === 'command')
    last.output = text
      .trimEnd()
      .split('\n')
      .map((shown) => shown.trim());
  else
    throw new Error(
      `the block of line ${line} is marked "${info}": it is neither a file, nor commands, nor what the commands before it print`,
    );
}

/**
 * The first line of `expected` that `printed` does not have behind the ones before; `undefined` where all are
 * there.
 */
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

export interface Console {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number;
}

export interface Guide {
  readonly text: string;
  /** Blocks of `console`, whose title is the exit code: `$ ` and a command, then what it prints. */
  readonly consoles: readonly Console[];
  /** By title; commands (`sh`) are not files. */
  readonly files: ReadonlyMap<string, string>;
  file(title: string): string;
  command(title: string): string;
}

/** A page's text; `name` is one in `docs/guide`, or a path from there. */
export const guideText = (name: string): string =>
  readFileSync(resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/guide', name), 'utf8');

/** Blocks with a title, as ```` ```js title="server.js" ````. */
export function readGuide(name: string): Guide {
  const text = guideText(name);
  const files = new Map<string, string>();
  const consoles: Console[] = [];
  const commands = new Map<string, string>();
  for (const { info, title, text: body } of readBlocks(text).blocks) {
    if (title === undefined) continue;
    const [, command = '', output = ''] = /^\$ (.*)\n([^]*)$/.exec(body) ?? [];
    if (info.startsWith('console ')) consoles.push({ command, output, exitCode: Number(title) });
    else (info.startsWith('sh ') ? commands : files).set(title, body);
  }
  const take = (from: ReadonlyMap<string, string>, title: string): string => {
    const found = from.get(title);
    if (found === undefined) throw new Error(`${name} has no block titled ${title}, only ${[...from.keys()].join(', ')}`);
    return found;
  };
  return { text, consoles, files, file: (title) => take(files, title), command: (title) => take(commands, title) };
}

export function writeFiles({ files }: Pick<Guide, 'files'>, folder: string): void {
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
