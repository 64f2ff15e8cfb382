/**
 * Bundlers that watch: a file that only types come from is part of no bundle, and a change of it makes its users
 * anew, also where it puts right what was wrong.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createProject } from './project.ts';
import { watchers } from './watchers.ts';

const main = `import { validate } from 'fulmar/types';
import type { Bird } from './bird';
export const isBird = validate<Bird>;
`;

/** The next build of which `wanted` is true: a watcher may build once more than it must. */
class Told {
  readonly #all: string[] = [];
  #wake: () => void = () => undefined;

  readonly tell = (text: string): void => {
    this.#all.push(text);
    this.#wake();
  };

  async next(wanted: RegExp): Promise<string> {
    for (;;) {
      const found = this.#all.findIndex((text) => wanted.test(text));
      if (found >= 0) return this.#all.splice(0, found + 1).at(-1) as string;
      await new Promise<void>((resolve) => void (this.#wake = resolve));
    }
  }
}

for (const { name, start } of watchers) {
  it(`${name} builds anew what uses a type that has changed`, async () => {
    const project = createProject({ 'src/main.ts': main, 'src/bird.ts': 'export interface Bird { name: string }\n' });
    const told = new Told();
    const stop = await start(project.folder, told.tell);
    try {
      assert.doesNotMatch(await told.next(/v\.name/), /v\.weight/);
      project.write('src/bird.ts', 'export interface Bird { name: string; weight: number }\n');
      await told.next(/v\.weight/);
      project.write('src/bird.ts', 'export interface Bird { name: string; sing(): void }\n');
      await told.next(/Bird\.sing is a function, which cannot be sent/);
      project.write('src/bird.ts', 'export interface Bird { name: string; height: number }\n');
      await told.next(/v\.height/);
    } finally {
      await stop();
      project.remove();
    }
  });
}
