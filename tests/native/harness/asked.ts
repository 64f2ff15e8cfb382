/**
 * A child of either host that is asked, again and again: each request is a line of JSON, and so is its
 * answer, in any order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import readline from 'node:readline';
import { bundle, folder } from './bundle.ts';
import { type Command, LOOKUP } from './host.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Asked {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(host: Command, path: string) {
    this.#child = spawn(host.command, [...host.args, path], { env: host.env, stdio: ['pipe', 'pipe', 'inherit'] });
    readline.createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => this.#take(line));
    this.#child.on('close', (code, signal) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the child has ended: ${String(code ?? signal)}`));
      this.#waiting.clear();
    });
  }

  #take(line: string): void {
    const { id, result } = JSON.parse(line) as { id: number; result: unknown };
    this.#waiting.get(id)?.resolve(result);
    this.#waiting.delete(id);
  }

  ask(request: unknown): Promise<unknown> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, request })}\n`);
    });
  }

  end(): void {
    this.#child.kill();
  }
}

/** Starts `module`, a file that exports `answer`, on `host`. */
export async function startAsked(host: Command, module: string, name: string): Promise<Asked> {
  const here = new URL('answering.ts', import.meta.url).pathname;
  const entry = `import { answer } from ${JSON.stringify(module)};\nimport { answering } from ${JSON.stringify(here)};\nvoid answering(answer);\n`;
  const path = join(folder(), `${name}.cjs`);
  writeFileSync(path, `Object.defineProperty(globalThis, 'plan', { value: { lookup: ${LOOKUP} } });\n${await bundle({ entry })}`);
  return new Asked(host, path);
}
