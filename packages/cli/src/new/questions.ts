/**
 * What `fulmar new` asks for at a terminal: a folder, a template. A line for each, and what is in brackets
 * holds for an empty one. Never asked where somebody else than a person may answer.
 */
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { CommandError } from '../errors.ts';
import { checkFolder } from './project.ts';
import { findTemplate, type Template, templates } from './templates.ts';

/** Whoever answers wrongly so often is not answering. */
const ATTEMPTS_MAX = 5;
const FOLDER_DEFAULT = 'my-app';

/** Gives a line for each question, also of those that came before it. */
type Ask = (question: string) => Promise<string>;

export interface Answers {
  readonly folder: string;
  readonly template: Template;
}

/** Asks for what is not known. Rejects with a `CommandError` when the input ends. */
export async function askFor(
  known: { readonly [Key in keyof Answers]: Answers[Key] | undefined },
  input: Readable,
  output: Writable,
): Promise<Answers> {
  const lines = createInterface({ input, output, terminal: (output as { isTTY?: boolean }).isTTY === true });
  let isOpen = true;
  lines.once('close', () => void (isOpen = false));
  const answers = lines[Symbol.asyncIterator]();
  const ask: Ask = async (question) => {
    lines.setPrompt(question);
    // What has ended may have given lines that are still to be taken.
    if (isOpen) lines.prompt();
    else output.write(question);
    const { value, done } = await answers.next();
    if (done !== true) return value.trim();
    output.write('\n');
    throw cancelled();
  };
  // Ctrl-C ends the questions, and with them the command.
  lines.on('SIGINT', () => lines.close());
  try {
    const folder = known.folder ?? (await until(toFolder, () => ask(`Folder [${FOLDER_DEFAULT}]: `), output));
    if (known.template !== undefined) return { folder, template: known.template };
    const rows = templates.map(({ name, what }, at) => `  ${at + 1}  ${name.padEnd(12)} ${what}\n`);
    output.write(`Templates:\n${rows.join('')}`);
    return { folder, template: await until(toTemplate, () => ask(`Template [${templates[0]?.name}]: `), output) };
  } finally {
    lines.close();
  }
}

/** Asks again, and says why, while an answer is none. */
async function until<Value>(take: (word: string) => Value, ask: () => Promise<string>, output: Writable): Promise<Value> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const word = await ask();
    try {
      return take(word);
    } catch (error) {
      output.write(`${(error as Error).message}\n`);
    }
  }
  throw cancelled();
}

function toFolder(word: string): string {
  const folder = word || FOLDER_DEFAULT;
  checkFolder(resolve(folder), folder);
  return folder;
}

/** By its number or its name. */
const toTemplate = (word: string): Template => templates[Number(word || '1') - 1] ?? findTemplate(word);

const cancelled = (): CommandError => new CommandError('FULMAR_CLI_NEW_CANCELLED', 'nothing was made: the questions were not answered');
