/** The blocks of a guide in docs/guide that a test plays itself, because no shell can (`guide.ts` plays the others): those with a title, as ```` ```js title="server.js" ````. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const guides = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/guide');

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

export function readGuide(name: string): Guide {
  const text = readFileSync(join(guides, name), 'utf8');
  const files = new Map<string, string>();
  const consoles: Console[] = [];
  const commands = new Map<string, string>();
  for (const [, language, title = '', body = ''] of text.matchAll(/^```(\w+) title="([^"]+)"\n(.*?)^```$/gms)) {
    const [, command = '', output = ''] = /^\$ (.*)\n([^]*)$/.exec(body) ?? [];
    if (language === 'console') consoles.push({ command, output, exitCode: Number(title) });
    else (language === 'sh' ? commands : files).set(title, body);
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
