/**
 * The two sides of the batch must agree on every number: the TypeScript constants are compared with the Rust
 * sources.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { binding } from '../../src/exchange/binding.ts';
import {
  AbortReason,
  Command,
  COMMAND_WORDS,
  COMMANDS_CAPACITY,
  ConfigKey,
  Control,
  Event,
  EventFlag,
  EventKind,
  EVENT_WORDS,
  EVENT_KIND_LAST_OF_EXCHANGE,
  DIGEST_CHARS,
  DIGEST_PLACE_SHIFT,
  ReplyFlag,
} from '../../src/exchange/format.ts';

const crates = new URL('../../../../crates/', import.meta.url);
const source = (path: string): string => readFileSync(new URL(path, crates), 'utf8');

/** `const NAME: type = 1;` and `Name = 1,` within a Rust text, by lowerCamelCase name. */
function constants(text: string): Record<string, number> {
  const found = [...text.matchAll(/(?:const (\w+): \w+ = (\d+);|^\s*(\w+) = (\d+),)/gm)];
  return Object.fromEntries(found.map((m) => [camel(m[1] ?? m[3] ?? ''), Number(m[2] ?? m[4])]));
}

function camel(name: string): string {
  const words = name.includes('_') || name === name.toUpperCase() ? name.toLowerCase() : name;
  const joined = words.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function block(text: string, start: string): string {
  const from = text.indexOf(start);
  assert.notEqual(from, -1, `${start} is missing`);
  return text.slice(from, text.indexOf('\n}', from));
}

const format = source('batch/src/format.rs');
const event = source('engine/src/event.rs');

test('names the same reply flags as the engine', () => {
  assert.deepEqual(constants(block(source('engine/src/reply.rs'), 'pub mod reply_flag')), ReplyFlag);
  const [, shift] = /^pub const DIGEST_PLACE_SHIFT: u32 = (\d+);$/m.exec(source('engine/src/reply.rs')) ?? [];
  assert.equal(Number(shift), DIGEST_PLACE_SHIFT);
  const [, chars] = /^pub const DIGEST_CHARS: usize = (\d+);$/m.exec(source('engine/src/digest.rs')) ?? [];
  assert.equal(Number(chars), DIGEST_CHARS);
});

test('names the same event kinds and flags as the engine', () => {
  assert.deepEqual(constants(block(event, 'pub enum EventKind')), EventKind);
  const flags = constants(block(event, 'pub mod event_flag'));
  assert.deepEqual(flags, EventFlag);
});

test('divides kinds of exchanges from all others where the hosts do', () => {
  assert.equal(constants(format)['eventKindLastOfExchange'], EVENT_KIND_LAST_OF_EXCHANGE);
  const last = Object.entries(EventKind).filter(([, kind]) => kind === EVENT_KIND_LAST_OF_EXCHANGE);
  assert.deepEqual(last, [['sent', EventKind.sent]]);
});

test('names the same reasons of an end as the engine', () => {
  assert.deepEqual(constants(block(event, 'pub enum AbortReason')), AbortReason);
});

test('lays out events as the engine does', () => {
  const fields = [...block(event, 'pub struct Event').matchAll(/pub (\w+): u32/g)].map((m) => camel(m[1]!));
  assert.deepEqual(fields, Object.keys(Event));
  assert.deepEqual(
    Object.values(Event),
    fields.map((_, index) => index),
  );
  assert.equal(fields.length, EVENT_WORDS);
});

test('lays out commands and the control array as the host does', () => {
  assert.deepEqual(constants(block(format, 'pub(crate) mod command')), Command);
  assert.deepEqual(constants(block(format, 'pub mod control')), Control);
  const sizes = constants(format);
  assert.equal(sizes['commandsCapacity'], COMMANDS_CAPACITY);
  assert.equal(sizes['eventWords'], EVENT_WORDS);
  assert.equal(sizes['commandWords'], COMMAND_WORDS);
});

test('numbers the configuration as the host does', () => {
  const arms = [...source('batch/src/listen.rs').matchAll(/(\d+) => config\.(\w+) =/g)];
  assert.deepEqual(Object.fromEntries(arms.map((m) => [camel(m[2]!), Number(m[1])])), ConfigKey);
});

test('tags content as the etag package does', () => {
  assert.equal(binding().sha1Base64(Buffer.from('Hello World')), 'Ck1VqNd45QIvq3AZd8XYQLvEhtA');
});
