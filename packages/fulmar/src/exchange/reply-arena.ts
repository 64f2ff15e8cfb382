/**
 * Complete replies on their way to the engine: one command of fixed size per reply, text and small bodies in
 * a shared arena. Emptied by the engine after each batch, in each phase of the event loop, and whenever it is
 * full.
 */
import { type Binding } from './binding.ts';
import { bytesIn, copyIn, type NativeBuffer } from './node-buffer.ts';
import { ARENA_BYTES, Command, COMMAND_WORDS, COMMANDS_CAPACITY, Control, ReplyFlag } from './format.ts';

/**
 * A body larger than this is passed by itself, and rarely fits into what the system buffers for a connection;
 * in bytes or characters.
 */
export const BODY_INLINE_MAX = 16 * 1024;
/** A UTF-16 code unit becomes at most three bytes of UTF-8. */
const UTF8_EXPANSION_MAX = 3;

/** Views of the memory that the engine shares. */
export interface ReplyMemory {
  readonly control: Uint32Array;
  readonly commands: Uint32Array;
  readonly arena: NativeBuffer;
}

export class ReplyArena {
  readonly control: Uint32Array;
  readonly commands: Uint32Array;
  readonly arena: NativeBuffer;
  readonly #binding: Binding;

  constructor(binding: Binding, memory: ReplyMemory) {
    this.#binding = binding;
    this.control = memory.control;
    this.commands = memory.commands;
    this.arena = memory.arena;
  }

  /**
   * Writes a reply, or gives it to the engine directly when it is large: then returns the digest of its tag,
   * if one was asked for.
   */
  // oxlint-disable-next-line max-params -- a record of them would be garbage with each reply
  put(
    slot: number,
    generation: number,
    status: number,
    reason: string | null,
    block: string,
    flags: number,
    body: string | Uint8Array | null,
    encoding: 'utf8' | 'latin1',
  ): string | null {
    const control = this.control;
    const bodyLength = body === null ? 0 : typeof body === 'string' ? body.length : bytesIn(body);
    const expansion = typeof body === 'string' && encoding === 'utf8' ? UTF8_EXPANSION_MAX : 1;
    const bytesMax = block.length + bodyLength * expansion + (reason === null ? 0 : reason.length);
    if (bodyLength > BODY_INLINE_MAX || bytesMax > ARENA_BYTES) {
      return this.#putLarge(slot, generation, status, reason, block, flags, body, encoding);
    }
    if (control[Control.commands]! >= COMMANDS_CAPACITY || control[Control.arena]! + bytesMax > ARENA_BYTES) {
      this.#binding.collect();
    }
    const arena = this.arena;
    const index = control[Control.commands]!;
    const at = index * COMMAND_WORDS;
    const commands = this.commands;
    let position = control[Control.arena]!;
    commands[at + Command.slot] = slot;
    commands[at + Command.generation] = generation;
    commands[at + Command.status] = status;
    commands[at + Command.flags] = flags;
    commands[at + Command.reasonSize] = 0;
    if (reason !== null) position = this.#putReason(at, reason, position);
    commands[at + Command.blockStart] = position;
    const blockLength = block.length === 0 ? 0 : arena.latin1Write(block, position, block.length);
    commands[at + Command.blockLen] = blockLength;
    position += blockLength;
    commands[at + Command.bodyStart] = position;
    let written = 0;
    if (typeof body === 'string') {
      if (bodyLength > 0) {
        written = encoding === 'utf8' ? arena.utf8Write(body, position, bodyLength * 3) : arena.latin1Write(body, position, bodyLength);
      }
    } else if (bodyLength > 0) {
      copyIn(arena, body as Uint8Array, position);
      written = bodyLength;
    }
    commands[at + Command.bodyLen] = written;
    control[Control.arena] = position + written;
    control[Control.commands] = index + 1;
    return null;
  }

  #putReason(at: number, reason: string, position: number): number {
    this.commands[at + Command.reasonStart] = position;
    this.commands[at + Command.reasonSize] = reason.length + 1;
    return position + this.arena.latin1Write(reason, position, reason.length);
  }

  // oxlint-disable-next-line max-params -- a record of them would be garbage with each reply
  #putLarge(
    slot: number,
    generation: number,
    status: number,
    reason: string | null,
    block: string,
    flags: number,
    body: string | Uint8Array | null,
    encoding: 'utf8' | 'latin1',
  ): string | null {
    const content = typeof body === 'string' && encoding === 'latin1' ? Buffer.from(body, encoding) : (body ?? '');
    return this.#binding.replyLarge(slot, generation, status, reason, block, flags, content) ?? null;
  }

  /**
   * Index of the command of an exchange whose reply still waits here, or -1. The newest first: it is asked
   * for soon after its reply.
   */
  find(slot: number, generation: number): number {
    const commands = this.commands;
    for (let index = this.control[Control.commands]! - 1; index >= 0; index--) {
      const at = index * COMMAND_WORDS;
      if (commands[at + Command.slot] === slot && commands[at + Command.generation] === generation) return index;
    }
    return -1;
  }

  /**
   * Somebody waits for the end of a reply: the host tells before the next client's handler runs, if it can.
   */
  awaitSent(): void {
    this.control[Control.sentAwaited] = 1;
  }

  /** Asks for the end of a reply that waits here. False: it has left. */
  requestSent(slot: number, generation: number): boolean {
    const index = this.find(slot, generation);
    if (index < 0) return false;
    const at = index * COMMAND_WORDS + Command.flags;
    this.commands[at] = this.commands[at]! | ReplyFlag.wantsSent;
    return true;
  }
}
