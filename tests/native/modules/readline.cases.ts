import readline from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { cases } from '../harness/cases.ts';

function lines(chunks: (string | Uint8Array)[], options: object = {}): Promise<unknown> {
  return new Promise((resolve) => {
    const seen: string[] = [];
    const made = readline.createInterface({ input: Readable.from(chunks), ...options });
    made.on('line', (line) => seen.push(line));
    made.on('close', () => resolve(seen));
  });
}

function written(work: (stream: PassThrough) => unknown): unknown {
  const stream = new PassThrough({ encoding: 'utf8' });
  const result = work(stream);
  return [result, stream.read()];
}

/** An interface on two pipes: what it is asked, what it answers. */
async function dialog(work: (rl: readline.Interface, input: PassThrough, output: PassThrough) => unknown): Promise<unknown> {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const rl = readline.createInterface({ input, output, prompt: '? ' });
  const result = await work(rl, input, output);
  rl.close();
  return [result, output.read()];
}

const question = (rl: readline.Interface, text: string): Promise<string> => new Promise((resolve) => rl.question(text, resolve));
const keys = (text: string): unknown => {
  const stream = new PassThrough();
  readline.emitKeypressEvents(stream);
  return new Promise((resolve) => {
    const seen: unknown[] = [];
    stream.on('keypress', (_character, { name, ctrl, shift, meta, sequence }: readline.Key) =>
      seen.push([name, ctrl, shift, meta, sequence]),
    );
    stream.on('end', () => resolve(seen));
    stream.end(text);
  });
};

export default cases(
  'readline',
  {
    createInterface: [
      () => lines(['a\nb\r', '\nc\r\nd']),
      () => lines([Buffer.from('h\u00e9'.slice(0, 1)), Buffer.from([0xc3]), Buffer.from([0xa9, 10])]),
      () => lines(['', '\n\n', 'x']),
      () => lines([]),
      () => readline.createInterface({ input: new PassThrough(), prompt: Symbol('x') as never }),
      () => readline.createInterface({ input: new PassThrough(), completer: 5 as never }),
      () => readline.createInterface({ input: new PassThrough(), tabSize: 0 }),
    ],
    Interface: [
      () => {
        const made = new (readline.Interface as unknown as new (options: object) => readline.Interface)({ input: new PassThrough() });
        made.close();
        return [made.terminal, made.line, made.getPrompt()];
      },
    ],
    'Interface#question': [
      () =>
        dialog(async (rl, input) => {
          const answer = question(rl, 'name? ');
          input.write('Ada\n');
          return answer;
        }),
      () =>
        dialog((rl) => {
          rl.close();
          rl.question('x', () => {});
        }),
    ],
    'an interface': [
      () =>
        dialog((rl) => {
          rl.setPrompt('> ');
          rl.prompt();
          return rl.getPrompt();
        }),
      () =>
        dialog(async (rl, input) => {
          const seen: string[] = [];
          rl.on('line', (line) => seen.push(line));
          rl.write('typed\n');
          input.write('read\n');
          await new Promise((resolve) => setImmediate(resolve));
          return seen;
        }),
      () =>
        dialog((rl) => {
          const seen: string[] = [];
          for (const name of ['pause', 'resume', 'close']) rl.on(name, () => seen.push(name));
          rl.pause();
          rl.pause();
          rl.resume();
          rl.close();
          rl.close();
          return seen;
        }),
      async () => {
        const seen = [];
        for await (const line of readline.createInterface({ input: Readable.from(['x\ny\n', 'z']) })) seen.push(line);
        return seen;
      },
      async () => {
        for await (const line of readline.createInterface({ input: Readable.from(['x\ny\n', 'z']) })) return line;
        return undefined;
      },
      () => {
        const made = readline.createInterface({ input: new PassThrough(), signal: AbortSignal.abort() });
        return new Promise((resolve) => made.on('close', () => resolve('closed')));
      },
    ],
    'ends of lines': [() => lines(['one\rtwo\u2028three\u2029four'])],
    'a prompt after the end': [
      () =>
        dialog((rl) => {
          rl.close();
          rl.prompt();
        }),
    ],
    clearLine: [
      () => written((stream) => [-1, 0, 1].map((direction) => readline.clearLine(stream, direction as 0))),
      () => readline.clearLine(new PassThrough(), 0, 5 as never),
    ],
    clearScreenDown: [() => written((stream) => readline.clearScreenDown(stream))],
    cursorTo: [
      () => written((stream) => [readline.cursorTo(stream, 3), readline.cursorTo(stream, 1, 2)]),
      () => readline.cursorTo(new PassThrough(), NaN),
      () => readline.cursorTo(new PassThrough(), 'x' as never, 1),
    ],
    moveCursor: [
      () =>
        written((stream) => [readline.moveCursor(stream, 2, -1), readline.moveCursor(stream, -2, 3), readline.moveCursor(stream, 0, 0)]),
    ],
    emitKeypressEvents: [() => keys('aZ1 \r\n\t\u007f\u0003'), () => keys('\u001b[A\u001b[1;5C\u001bOP\u001b[3~\u001b[Z\u001b[24~')],
    promises: [() => typeof readline.promises.createInterface],
  },
  {
    since: { 'ends of lines': 24, 'a prompt after the end': 24 },
    missing: Object.fromEntries(
      '_decoder _line_buffer _oldPrompt _previousKey _prompt _questionCallback _sawKeyPress _sawReturnAt _setRawMode _onLine _writeToOutput _addHistory _refreshLine _normalWrite _insertString _tabComplete _wordLeft _wordRight _deleteLeft _deleteRight _deleteWordLeft _deleteWordRight _deleteLineLeft _deleteLineRight _line _historyNext _historyPrev _getDisplayPos _getCursorPos _moveCursor _ttyWrite'
        .split(' ')
        .map((name) => [`Interface#${name}`, 'internal: a line is edited by the terminal, without history and completion']),
    ),
  },
);
