import readline from 'node:readline/promises';
import { PassThrough, Readable } from 'node:stream';
import { cases } from '../harness/cases.ts';

const moves = async (work: (to: readline.Readline) => readline.Readline): Promise<unknown> => {
  const stream = new PassThrough({ encoding: 'utf8' });
  await work(new readline.Readline(stream)).commit();
  return stream.read();
};

export default cases('readline/promises', {
  createInterface: [
    async () => {
      const seen = [];
      for await (const line of readline.createInterface({ input: Readable.from(['a\nb']) })) seen.push(line);
      return seen;
    },
  ],
  Interface: [
    async () => {
      const rl = readline.createInterface({ input: Readable.from(['yes\n']) });
      return rl.question('really? ');
    },
    async () => {
      const rl = readline.createInterface({ input: new PassThrough() });
      return rl.question('?', { signal: AbortSignal.abort() }).finally(() => rl.close());
    },
  ],
  'Interface#question': [
    async () => {
      const input = new PassThrough();
      const rl = readline.createInterface({ input });
      const controller = new AbortController();
      const asked = rl.question('?', { signal: controller.signal });
      controller.abort();
      return asked.finally(() => rl.close());
    },
  ],
  Readline: [() => new readline.Readline(5 as never), () => typeof new readline.Readline(new PassThrough())],
  'Readline#cursorTo': [
    () => moves((to) => to.cursorTo(1).cursorTo(2, 3)),
    () => new readline.Readline(new PassThrough()).cursorTo('x' as never),
  ],
  'Readline#moveCursor': [() => moves((to) => to.moveCursor(1, -2))],
  'Readline#clearLine': [
    () => moves((to) => to.clearLine(0).clearLine(-1)),
    () => new readline.Readline(new PassThrough()).clearLine(7 as never),
  ],
  'Readline#clearScreenDown': [() => moves((to) => to.clearScreenDown())],
  'Readline#commit': [() => moves((to) => to)],
  'Readline#rollback': [() => moves((to) => to.cursorTo(1).rollback())],
});
