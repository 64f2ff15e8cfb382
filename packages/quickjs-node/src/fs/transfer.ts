/**
 * The arguments of `read`, `write` and their vectors, in all the forms Node takes them.
 */
import { invalidArgType, invalidArgValue, outOfRange } from '../shared/errors.ts';
import { validateBuffer, validateInteger, validateObject } from '../shared/validators.ts';
import { descriptorOf } from './arguments.ts';
import * as plans from './plans.ts';
import type { Plan } from './run.ts';

const READ_DEFAULT = 16384;

interface ReadOptions {
  buffer?: ArrayBufferView;
  offset?: number | null;
  length?: number | null;
  position?: number | bigint | null;
}

export interface Transfer {
  readonly plan: Plan<number>;
  readonly buffer: ArrayBufferView | string;
}

function positionOf(position: unknown): number {
  if (position === null || position === undefined || position === -1) return -1;
  if (typeof position === 'bigint') return Number(position);
  if (typeof position !== 'number') throw invalidArgType('position', ['integer', 'bigint'], position);
  validateInteger(position, 'position', -1);
  return position;
}

/** The part of a view from `offset`, `length` bytes long. */
function part(view: ArrayBufferView, offset: number, length: number): Uint8Array {
  // Of a view whose memory is gone no other can be made.
  return length === 0 ? new Uint8Array(0) : new Uint8Array(view.buffer, view.byteOffset + offset, length);
}

function isView(value: unknown): value is ArrayBufferView {
  return ArrayBuffer.isView(value);
}

/** `(fd, buffer, offset, length, position)`, `(fd, buffer, options)`, `(fd, options)`, `(fd)` */
export function readTransfer(fd: unknown, given: unknown[]): Transfer {
  const open = descriptorOf(fd);
  const [first, second] = given;
  let options: ReadOptions;
  if (given.length <= 1 && !isView(first)) {
    if (first !== undefined && first !== null) validateObject(first, 'options');
    options = (first ?? {}) as ReadOptions;
    options = { ...options, buffer: options.buffer ?? Buffer.alloc(READ_DEFAULT) };
  } else if (given.length === 2 && (second === null || typeof second === 'object')) {
    options = { ...(second as ReadOptions), buffer: first as ArrayBufferView };
  } else {
    options = { buffer: first, offset: second, length: given[2], position: given[3] } as ReadOptions;
  }
  const { buffer } = options;
  validateBuffer(buffer);
  const offset = options.offset ?? 0;
  validateInteger(offset, 'offset', 0);
  const length = (options.length ?? buffer.byteLength - offset) | 0;
  if (length !== 0 && buffer.byteLength === 0) throw invalidArgValue('buffer', buffer, 'is empty and cannot be written');
  if (length < 0) throw outOfRange('length', '>= 0', length);
  if (offset + length > buffer.byteLength) throw outOfRange('length', `<= ${buffer.byteLength - offset}`, length);
  return { plan: plans.read(open, part(buffer, offset, length), positionOf(options.position)), buffer };
}

function checkRange(buffer: ArrayBufferView, offset: number, length: number): void {
  if (offset > buffer.byteLength) throw outOfRange('offset', `<= ${buffer.byteLength}`, offset);
  if (length > buffer.byteLength - offset) throw outOfRange('length', `<= ${buffer.byteLength - offset}`, length);
  if (length < 0) throw outOfRange('length', '>= 0', length);
}

/** `(fd, buffer, offset, length, position)`, `(fd, buffer, options)`, `(fd, string, position, encoding)` */
export function writeTransfer(fd: unknown, given: unknown[]): Transfer {
  const open = descriptorOf(fd);
  const [data, second] = given;
  if (!isView(data)) {
    if (typeof data !== 'string') throw invalidArgType('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    const [, position, encoding = 'utf8'] = given;
    const bytes = Buffer.from(data, encoding as BufferEncoding);
    return { plan: plans.write(open, bytes, typeof position === 'number' ? position : -1), buffer: data };
  }
  const options = (
    second !== null && typeof second === 'object' ? second : { offset: second, length: given[2], position: given[3] }
  ) as ReadOptions;
  const offset = options.offset ?? 0;
  validateInteger(offset, 'offset', 0);
  const length = typeof options.length === 'number' ? options.length : data.byteLength - offset;
  checkRange(data, offset, length);
  const { position } = options;
  return { plan: plans.write(open, part(data, offset, length), typeof position === 'number' ? position : -1), buffer: data };
}

function checkViews(buffers: unknown): asserts buffers is ArrayBufferView[] {
  if (!Array.isArray(buffers) || !buffers.every(isView)) throw invalidArgType('buffers', 'ArrayBufferView[]', buffers);
}

/** All views as one block. */
export function gathered(fd: unknown, buffers: unknown, position: unknown): Plan<number> {
  const open = descriptorOf(fd);
  checkViews(buffers);
  const all = Buffer.concat(buffers.map((view) => part(view, 0, view.byteLength)));
  return plans.write(open, all, typeof position === 'number' ? position : -1);
}

/** One block to be read, which is spread over the views when it is there. */
export function scattered(fd: unknown, buffers: unknown, position: unknown): Plan<number> {
  const open = descriptorOf(fd);
  checkViews(buffers);
  const all = Buffer.alloc(buffers.reduce((sum, view) => sum + view.byteLength, 0));
  const spread = (count: number): number => {
    let at = 0;
    for (const view of buffers) {
      if (at >= count) break;
      const length = Math.min(view.byteLength, count - at);
      part(view, 0, length).set(all.subarray(at, at + length));
      at += length;
    }
    return count;
  };
  return { ...plans.read(open, all, typeof position === 'number' ? position : -1), convert: spread };
}
