/**
 * When streams do their work: all of them together take a bounded part of each turn of the event loop, so
 * that handlers that wait for something beside them are not held up turn after turn.
 *
 * A stream's first chunk is not held back, nor counted: most replies are whole in it, and need no turn of the
 * loop beside those of requests. What comes behind it shares the turn with all others, first come, first
 * served. Never compresses itself, and never runs anything at once: Node does not either.
 */
import { TURN_BYTES_MAX } from './limits.ts';

/** Compresses its next part. */
export interface Worker {
  step(): void;
}

const waiting: Worker[] = [];
/** Bytes compressed in this turn of the loop. */
let spent = 0;
let isScheduled = false;

/** Has `worker` do its next step soon; `isFirst`: it is its first one. */
export function takeTurn(worker: Worker, isFirst: boolean): void {
  if (isFirst) {
    process.nextTick(step, worker);
    return;
  }
  if (waiting.length === 0 && spent < TURN_BYTES_MAX) process.nextTick(step, worker);
  else waiting.push(worker);
  schedule();
}

/** To be called by a step that is not a worker's first. */
export function spend(bytes: number): void {
  spent += bytes;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(nextTurn);
}

function nextTurn(): void {
  isScheduled = false;
  spent = 0;
  while (spent < TURN_BYTES_MAX) {
    const worker = waiting.shift();
    if (worker === undefined) return;
    schedule(); // Before it works: who is behind it comes next turn, should its listeners throw.
    worker.step();
  }
}

function step(worker: Worker): void {
  worker.step();
}
