/**
 * The functions of Node's prototypes, as the running Node has them. For the QuickJS host's side they are
 * listed by the Node that it is compared with: cases must have the same order there.
 */
import { EventEmitter } from 'node:events';
import process from 'node:process';
import { Readable, Stream, Writable } from 'node:stream';

const { IncomingMessage, OutgoingMessage, ServerResponse } = process.getBuiltinModule('node:http');

const keysOf = ({ prototype }: { prototype: object }): readonly string[] => Reflect.ownKeys(prototype).map(String);

export const NAMES: Readonly<Record<string, readonly string[]>> = {
  OutgoingMessage: keysOf(OutgoingMessage),
  ServerResponse: keysOf(ServerResponse),
  IncomingMessage: keysOf(IncomingMessage),
  Readable: keysOf(Readable),
  Writable: keysOf(Writable),
  Stream: keysOf(Stream),
  EventEmitter: keysOf(EventEmitter),
};

/** Getters among them: they have no arguments. */
export const GETTERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ OutgoingMessage, ServerResponse, IncomingMessage, Readable, Writable, Stream, EventEmitter }).map(
    ([name, { prototype }]) => [
      name,
      Reflect.ownKeys(prototype)
        .filter((key) => Reflect.getOwnPropertyDescriptor(prototype, key)?.get !== undefined)
        .map(String),
    ],
  ),
);
