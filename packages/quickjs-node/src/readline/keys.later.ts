/**
 * `readline.emitKeypressEvents`: makes `keypress` events of what a terminal sends.
 */
import type { Readable } from 'node:stream';

interface Key {
  sequence: string;
  name: string | undefined;
  ctrl: boolean;
  meta: boolean;
  shift: boolean;
  code?: string;
}

/** Names by the code after the escape. */
const CODES: Readonly<Record<string, string>> = {
  '[A': 'up', '[B': 'down', '[C': 'right', '[D': 'left', '[E': 'clear', '[F': 'end', '[H': 'home', '[Z': 'tab',
  OA: 'up', OB: 'down', OC: 'right', OD: 'left', OE: 'clear', OF: 'end', OH: 'home', OP: 'f1', OQ: 'f2', OR: 'f3', OS: 'f4',
  '[P': 'f1', '[Q': 'f2', '[R': 'f3', '[S': 'f4', '[1~': 'home', '[2~': 'insert', '[3~': 'delete', '[4~': 'end', '[5~': 'pageup',
  '[6~': 'pagedown', '[7~': 'home', '[8~': 'end', '[11~': 'f1', '[12~': 'f2', '[13~': 'f3', '[14~': 'f4', '[15~': 'f5', '[17~': 'f6',
  '[18~': 'f7', '[19~': 'f8', '[20~': 'f9', '[21~': 'f10', '[23~': 'f11', '[24~': 'f12', '[200~': 'paste-start', '[201~': 'paste-end',
}; // prettier-ignore

const PLAIN: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007F': 'backspace',
  '\u001B': 'escape',
  ' ': 'space',
};

/** Escape sequences, and any other character, each with an escape before it for Alt. */
// oxlint-disable-next-line no-control-regex -- these are what terminals send.
const PIECE = /\u001B?\u001B(?:\[\[?|O)(?:\d*;?\d*)[~A-Za-z$^]|\u001B?[\s\S]/gu;
// oxlint-disable-next-line no-control-regex -- as above.
const SEQUENCE = /^\u001B?\u001B(\[\[?|O)(\d*)(?:;(\d+))?([~A-Za-z$^])$/;

function keyOf(sequence: string): Key {
  const parts = SEQUENCE.exec(sequence);
  if (parts !== null) return escaped(sequence, parts);
  const key: Key = { sequence, name: undefined, ctrl: false, meta: false, shift: false };
  const isAlt = sequence.length > 1 && sequence.startsWith('\u001B');
  const character = isAlt ? sequence.slice(1) : sequence;
  key.meta = isAlt;
  const code = character.codePointAt(0) ?? 0;
  if (PLAIN[character] !== undefined) key.name = PLAIN[character];
  else if (code <= 0x1a) Object.assign(key, { name: String.fromCharCode(code + 0x60), ctrl: true });
  else if (/^[0-9A-Za-z]$/.test(character)) Object.assign(key, { name: character.toLowerCase(), shift: /^[A-Z]$/.test(character) });
  return key;
}

function escaped(sequence: string, [, start = '', number = '', modifiers = '1', last = '']: string[]): Key {
  const bits = Number(modifiers) - 1;
  const isLetter = last !== '~' && last !== '$' && last !== '^';
  const code = start + (isLetter && modifiers !== '1' ? '' : number) + (last === '$' || last === '^' ? '~' : last);
  return {
    sequence,
    name: CODES[code] ?? 'undefined',
    ctrl: (bits & 4) !== 0 || last === '^',
    meta: (bits & 10) !== 0,
    shift: (bits & 1) !== 0 || last === '$' || code === '[Z',
    code,
  };
}

const prepared = new WeakSet<object>();

export function emitKeypressEvents(stream: Readable): void {
  if (prepared.has(stream)) return;
  prepared.add(stream);
  const decoder = new (process.getBuiltinModule('node:string_decoder').StringDecoder)('utf8');
  const onData = (chunk: Buffer | string): void => {
    if (stream.listenerCount('keypress') === 0) return;
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    for (const [piece] of text.matchAll(PIECE)) {
      const key = keyOf(piece);
      stream.emit('keypress', piece.startsWith('\u001B') && piece.length > 1 ? undefined : piece, key);
    }
  };
  if (stream.listenerCount('keypress') > 0) {
    stream.on('data', onData);
    return;
  }
  stream.on('newListener', function listen(name: string) {
    if (name !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', listen);
  });
}
