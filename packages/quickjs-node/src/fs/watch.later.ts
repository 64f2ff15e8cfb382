/**
 * `fs.watchFile`, which looks at a file from time to time; `fs.watch` is not available.
 */
import { EventEmitter } from 'node:events';
import { unsupported } from '../shared/errors.ts';
import { pathOf, pathText } from './arguments.ts';
import * as plans from './plans.ts';
import { nowOrMissing, promised } from './run.ts';
import { Stats } from './stats.ts';
import { validateFunction, validateUint32 } from '../shared/validators.ts';

type Listener = (current: Stats, previous: Stats) => void;

export interface Watchers {
  watch(path: unknown, options: unknown, listener: unknown): never;
  watchFile(path: unknown, options: unknown, listener: unknown): StatWatcher;
  unwatchFile(path: unknown, listener: unknown): void;
}

const INTERVAL_MS = 5007;

function missing(): Stats {
  return new Stats(...Array.from({ length: 14 }, () => 0));
}

class StatWatcher extends EventEmitter {
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;
  #last: Stats;

  constructor(path: string, interval: number, persistent: boolean) {
    super();
    this.#path = path;
    this.#last = nowOrMissing(plans.stat(path, undefined)) ?? missing();
    this.#timer = setInterval(() => void this.#look(), interval);
    if (!persistent) this.#timer.unref();
  }

  async #look(): Promise<void> {
    const current = await promised(plans.stat(this.#path, undefined)).catch(missing);
    const previous = this.#last;
    if (current.mtimeMs === previous.mtimeMs && current.size === previous.size && current.ino === previous.ino) return;
    this.#last = current;
    this.emit('change', current, previous);
  }

  stop(): void {
    clearInterval(this.#timer);
    process.nextTick(() => this.emit('stop'));
  }

  ref(): this {
    this.#timer.ref();
    return this;
  }

  unref(): this {
    this.#timer.unref();
    return this;
  }
}

const watched = new Map<string, StatWatcher>();

export function watch(): never {
  throw unsupported('fs.watch', 'use fs.watchFile, or watch from outside of the application');
}

export function watchFile(path: unknown, given: unknown, last: unknown): StatWatcher {
  const at = pathText(pathOf(path));
  const options = (typeof given === 'object' && given !== null ? given : {}) as { interval?: number; persistent?: boolean };
  const listener = last ?? given;
  validateFunction(listener, 'listener');
  const { interval = INTERVAL_MS, persistent = true } = options;
  validateUint32(interval, 'interval');
  let watcher = watched.get(at);
  if (watcher === undefined) {
    watcher = new StatWatcher(at, interval, persistent);
    watched.set(at, watcher);
  }
  watcher.on('change', listener as Listener);
  return watcher;
}

export function unwatchFile(path: unknown, listener: unknown): void {
  const at = pathText(pathOf(path));
  const watcher = watched.get(at);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.off('change', listener as Listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') > 0) return;
  watcher.stop();
  watched.delete(at);
}
