import tty from 'node:tty';
import { cases } from '../harness/cases.ts';

const depth = (env: object): number => (tty.WriteStream.prototype.getColorDepth as (env: object) => number)(env);
const colors = (...args: unknown[]): boolean =>
  (tty.WriteStream.prototype as unknown as { hasColors(...args: unknown[]): boolean }).hasColors(...args);
const prototype = (name: string): string => typeof (tty.WriteStream.prototype as unknown as Record<string, unknown>)[name];

export default cases(
  'tty',
  {
    isatty: [() => [tty.isatty(99), tty.isatty(-1), tty.isatty('x' as never), tty.isatty(1.5)]],
    ReadStream: [() => new tty.ReadStream(-1), () => typeof tty.ReadStream],
    'ReadStream#setRawMode': [() => typeof tty.ReadStream.prototype.setRawMode],
    WriteStream: [() => new tty.WriteStream(-1), () => typeof tty.WriteStream],
    'WriteStream#isTTY': [() => (tty.WriteStream.prototype as unknown as { isTTY: boolean }).isTTY],
    'WriteStream#getColorDepth': [
      () =>
        [
          {},
          { TERM: 'xterm-256color' },
          { TERM: 'xterm' },
          { TERM: 'dumb' },
          { COLORTERM: '1' },
          { TERM: 'screen' },
          { TERM: 'linux' },
          { TERM: 'nothing' },
          { CI: '1' },
          { TERM_PROGRAM: 'Apple_Terminal' },
        ].map(depth),
      () =>
        [{ FORCE_COLOR: '0' }, { FORCE_COLOR: '1' }, { FORCE_COLOR: '2' }, { FORCE_COLOR: '3' }, { NO_COLOR: '1', TERM: 'xterm' }].map(
          depth,
        ),
    ],
    'colours of newer terminals': [
      () => [{ TMUX: '1' }, { COLORTERM: 'truecolor' }, { CI: '1', GITHUB_ACTIONS: '1' }, { TERM_PROGRAM: 'iTerm.app' }].map(depth),
    ],
    'WriteStream#hasColors': [
      () => [colors({ TERM: 'xterm' }), colors(16, { TERM: 'xterm' }), colors(256, { TERM: 'xterm' })],
      () => colors(1, {}),
      () => colors('x', {}),
    ],
    'WriteStream#cursorTo': [() => prototype('cursorTo')],
    'WriteStream#moveCursor': [() => prototype('moveCursor')],
    'WriteStream#clearLine': [() => prototype('clearLine')],
    'WriteStream#clearScreenDown': [() => prototype('clearScreenDown')],
    'WriteStream#getWindowSize': [() => prototype('getWindowSize')],
    'WriteStream#_refreshSize': [() => prototype('_refreshSize')],
  },
  { since: { 'colours of newer terminals': 24 } },
);
