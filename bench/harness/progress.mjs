/**
 * The progress line: what is measured, how far the run is, how long it will take. On a terminal it is
 * rewritten in place.
 */
import process from 'node:process';

const terminal = process.stderr.isTTY;
const quietEveryMs = 20_000;
/** First guesses in seconds, replaced by the mean of what was seen. */
const guesses = { load: 3.6, latency: 12.5, connections: 22, start: 0.5, memory: 9, soak: 30, size: 1 };

/** `cells` are all that will run. `say` prints a line of its own. */
export function progress(cells) {
  const left = new Map();
  for (const { kind } of cells) left.set(kind, (left.get(kind) ?? 0) + 1);
  const seen = new Map();
  const begun = Date.now();
  let current = begun;
  let printed = 0;
  const say = (text) => process.stderr.write(`${terminal ? '\r\x1b[K' : ''}${text}\n`);
  return {
    say,
    start(cell) {
      current = Date.now();
      const text = `[${cells.length - total(left)}/${cells.length}] ${cell.id}  ${clock(secondsLeft(left, seen))} left`;
      if (terminal) process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 100) - 1)}`);
      else if (current - printed > quietEveryMs) {
        say(text);
        printed = current;
      }
    },
    done({ kind }) {
      const { sum = 0, count = 0 } = seen.get(kind) ?? {};
      seen.set(kind, { sum: sum + (Date.now() - current) / 1000, count: count + 1 });
      left.set(kind, left.get(kind) - 1);
    },
    end() {
      say(`${cells.length} measurements in ${clock((Date.now() - begun) / 1000)}`);
    },
  };
}

export function secondsLeft(left, seen) {
  let sum = 0;
  for (const [kind, count] of left) {
    const known = seen.get(kind);
    sum += count * (known === undefined ? guesses[kind] : known.sum / known.count);
  }
  return sum;
}

const total = (left) => [...left.values()].reduce((sum, count) => sum + count, 0);

export function clock(seconds) {
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
