/**
 * Moves the cursor of a terminal, for `node:readline` and `tty.WriteStream`.
 */
import { coded, invalidArgValue } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';

interface Output {
  write(text: string, callback?: () => void): boolean;
}

const ESCAPE = '\u001B[';

function sent(stream: Output | null | undefined, text: string, callback: unknown): boolean {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const done = callback as (() => void) | undefined;
  if (stream === null || stream === undefined || text === '') {
    if (done !== undefined) process.nextTick(done, null);
    return true;
  }
  return stream.write(text, done);
}

export function cursorText(x: unknown, y?: unknown): string {
  if (Number.isNaN(x)) throw invalidArgValue('x', x);
  if (Number.isNaN(y)) throw invalidArgValue('y', y);
  if (typeof x !== 'number' && typeof y !== 'number') return '';
  if (typeof x !== 'number') throw coded(TypeError, 'ERR_INVALID_CURSOR_POS', 'Cannot set cursor row without setting its column');
  return typeof y === 'number' ? `${ESCAPE}${y + 1};${x + 1}H` : `${ESCAPE}${x + 1}G`;
}

export function moveText(dx: number, dy: number): string {
  const across = dx < 0 ? `${ESCAPE}${-dx}D` : dx > 0 ? `${ESCAPE}${dx}C` : '';
  const down = dy < 0 ? `${ESCAPE}${-dy}A` : dy > 0 ? `${ESCAPE}${dy}B` : '';
  return across + down;
}

/** Left of the cursor (negative), right of it (positive), or all of the line. */
export function clearText(direction: number): string {
  return `${ESCAPE}${direction < 0 ? '1' : direction > 0 ? '0' : '2'}K`;
}

export const CLEAR_DOWN = `${ESCAPE}0J`;

export function cursorTo(stream: Output | null | undefined, x: unknown, y?: unknown, callback?: unknown): boolean {
  const last = typeof y === 'function' ? y : callback;
  if (last !== undefined) validateFunction(last, 'callback');
  return sent(stream, cursorText(x, typeof y === 'function' ? undefined : y), last);
}

export function moveCursor(stream: Output | null | undefined, dx: number, dy: number, callback?: unknown): boolean {
  return sent(stream, moveText(dx, dy), callback);
}

export function clearLine(stream: Output | null | undefined, direction: number, callback?: unknown): boolean {
  return sent(stream, clearText(direction), callback);
}

export function clearScreenDown(stream: Output | null | undefined, callback?: unknown): boolean {
  return sent(stream, CLEAR_DOWN, callback);
}
