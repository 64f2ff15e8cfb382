/**
 * Signals as events of `process`.
 */
import ops from 'fulmar:ops';
import { errnoException } from '../shared/errno.ts';

const numbers = ops.signals();
const watched = new Set<string>();
let started = false;

function onSignal(number: number): void {
  for (const name of watched) {
    if (numbers[name] === number) process.emit(name as NodeJS.Signals, name as NodeJS.Signals, number as never);
  }
}

export function startListening(name: string): void {
  const number = numbers[name];
  if (number === undefined || watched.has(name)) return;
  if (!started) {
    started = true;
    ops.onSignal(onSignal);
  }
  const status = ops.watchSignal(number);
  if (status < 0) throw errnoException(status, 'uv_signal_start');
  watched.add(name);
}

export function stopListening(name: string): void {
  if (!watched.has(name) || process.listenerCount(name) > 0) return;
  watched.delete(name);
  ops.unwatchSignal(numbers[name] as number);
}
