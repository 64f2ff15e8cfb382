/**
 * The timers that wait: one list for each duration, in the order of their starts, and a heap of the lists by
 * when their first timer is due. Starting and stopping a timer costs the same for one as for ten thousand.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import type { Timeout } from './timeout.ts';

const { loop, runNextTicks } = later<typeof import('../start/setup.ts')>();

/** What a list links: its timers, and itself as the ring's start. */
export interface Link {
  _idlePrev: Link | null;
  _idleNext: Link | null;
}

/** Timers of one duration, in a ring. */
class DurationList implements Link {
  _idlePrev: Link | null = this;
  _idleNext: Link | null = this;
  expiry: number;
  /** Breaks ties: which list was (re)started first. */
  order: number;
  readonly duration: number;
  /** Its place in the heap. */
  place = 0;

  constructor(duration: number, expiry: number) {
    this.duration = duration;
    this.expiry = expiry;
    this.order = nextOrder++;
  }

  first(): Timeout | undefined {
    return this._idleNext === this ? undefined : (this._idleNext as Timeout);
  }
}

let nextOrder = 0;
const lists = new Map<number, DurationList>();
/** A binary heap; the list that is due first is at 0. */
const heap: DurationList[] = [];
let nextDue = Infinity;
/** The timer whose callback runs, and when that began. */
let running: Timeout | undefined;
let runningStart = 0;
let referenced = 0;
let setDue: ((ms: number) => void) | undefined;

function now(): number {
  return Math.floor(ops.now());
}

/** A timer that keeps the process alive was added (1) or is gone (-1). */
export function countReference(step: 1 | -1): void {
  if (referenced === 0 && step === 1) ops.retain();
  referenced += step;
  if (referenced === 0) ops.release();
}

/** Starts, or starts again, a timer. */
export function insert(timer: Timeout, duration: number, start = now()): void {
  const whole = Math.trunc(duration);
  timer._idleStart = start;
  let list = lists.get(whole);
  if (list === undefined) {
    list = new DurationList(whole, start + whole);
    lists.set(whole, list);
    heap.push(list);
    rise(heap.length - 1);
    if (list.expiry < nextDue) schedule(list.expiry);
  }
  append(list, timer);
}

/** Stops a timer. */
export function drop(timer: Timeout): void {
  unlink(timer);
  const list = lists.get(Math.trunc(timer._idleTimeout));
  if (list !== undefined && list.first() === undefined) removeList(list);
}

function append(list: DurationList, timer: Timeout): void {
  if (timer._idleNext !== null) unlink(timer);
  const last = list._idlePrev as Link;
  timer._idleNext = list;
  timer._idlePrev = last;
  last._idleNext = timer;
  list._idlePrev = timer;
}

function unlink(timer: Timeout): void {
  const { _idlePrev: before, _idleNext: after } = timer;
  if (after !== null) after._idlePrev = before;
  if (before !== null) before._idleNext = after;
  timer._idlePrev = null;
  timer._idleNext = null;
}

function removeList(list: DurationList): void {
  if (lists.get(list.duration) !== list) return;
  lists.delete(list.duration);
  const { place } = list;
  const last = heap.pop() as DurationList;
  if (last === list) return;
  heap[place] = last;
  last.place = place;
  sink(place);
  rise(last.place);
}

function schedule(due: number): void {
  nextDue = due;
  setDue ??= ops.startTimers(runTimers);
  // A fraction of a millisecond may have passed already: never too early.
  setDue(Math.max(0, due - ops.now()));
}

/** Called when time is due. If a callback throws, the rest follows at once, after the error was reported. */
function runTimers(): void {
  nextDue = Infinity;
  let done = false;
  try {
    runLists(now());
    done = true;
  } finally {
    const [first] = heap;
    if (first !== undefined) schedule(done ? first.expiry : 0);
  }
}

function runLists(time: number): void {
  let ran = false;
  for (;;) {
    const [list] = heap;
    if (list === undefined || list.expiry > time) return;
    if (ran) runNextTicks();
    ran = true;
    // A tick may have changed the heap; the list is then looked at again.
    if (heap[0] === list) runList(list, time);
  }
}

function runList(list: DurationList, time: number): void {
  let ran = false;
  for (let timer = list.first(); timer !== undefined; timer = list.first()) {
    if (ran) {
      runNextTicks();
      timer = list.first();
      if (timer === undefined) break;
    }
    if (time - timer._idleStart < list.duration) {
      list.expiry = Math.max(timer._idleStart + list.duration, time + 1);
      list.order = nextOrder++;
      sink(list.place);
      return;
    }
    ran = true;
    unlink(timer);
    runTimer(timer);
  }
  removeList(list);
}

function runTimer(timer: Timeout): void {
  running = timer;
  runningStart = timer._repeat === null ? 0 : now();
  try {
    timer._run();
  } finally {
    running = undefined;
    afterTimer(timer);
  }
}

function afterTimer(timer: Timeout): void {
  if (timer._repeat !== null && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    insert(timer, timer._repeat, runningStart);
  } else if (timer._idleNext === null) {
    timer._finish();
  }
}

loop.repairTimers = (): void => {
  const timer = running;
  running = undefined;
  if (timer !== undefined) afterTimer(timer);
  if (heap.length > 0) schedule(0);
};

function isBefore(a: DurationList, b: DurationList): boolean {
  return a.expiry === b.expiry ? a.order < b.order : a.expiry < b.expiry;
}

function rise(from: number): void {
  const list = heap[from] as DurationList;
  let place = from;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above] as DurationList;
    if (!isBefore(list, parent)) break;
    heap[place] = parent;
    parent.place = place;
    place = above;
  }
  heap[place] = list;
  list.place = place;
}

function sink(from: number): void {
  const list = heap[from] as DurationList;
  let place = from;
  for (;;) {
    let below = place * 2 + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1] as DurationList, heap[below] as DurationList)) below += 1;
    const child = heap[below] as DurationList;
    if (!isBefore(child, list)) break;
    heap[place] = child;
    child.place = place;
    place = below;
  }
  heap[place] = list;
  list.place = place;
}
