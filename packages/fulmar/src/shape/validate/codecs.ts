/**
 * Codecs by their names: how instances of a class are told, written and made again. Those of `Temporal` are there where
 * the host has it, others where the application has registered them. Looked up when a value comes, since the class may
 * be loaded behind those who name it.
 */
import type { CodecShape } from '../shape.ts';
import { Kind } from './kind.ts';
import type { Compiling, Rule } from './rule-types.ts';

export interface Codec {
  readonly is: (value: unknown) => boolean;
  /** What is sent, of the type that the shape calls `wire`. */
  readonly encode: (value: unknown) => unknown;
  /** @throws whatever the class has against it */
  readonly decode: (wire: unknown) => unknown;
}

const TEMPORAL = 'Temporal.';
/** Of a text that becomes one: longer ones are none. */
const TEMPORAL_LENGTH_MAX = 128;

const registered = new Map<string, Codec>();

/** The last one of a name holds: a file that is loaded once more brings its class along. */
export function register(name: string, codec: Codec): void {
  if (name === '' || name.startsWith(TEMPORAL)) throw new TypeError(`a codec is not called "${name}": take the name of its class.`);
  registered.set(name, codec);
}

/** @throws TypeError where nothing has registered it, or the host has no such class */
export function codecOf(name: string): Codec {
  const known = registered.get(name);
  if (known !== undefined) return known;
  if (name.startsWith(TEMPORAL)) {
    const made = temporal(name.slice(TEMPORAL.length));
    registered.set(name, made);
    return made;
  }
  throw new TypeError(`the codec ${name} is not registered: import the file that calls codec('${name}', …) before its values come.`);
}

interface TemporalClass {
  from(text: string): unknown;
}

function temporal(name: string): Codec {
  const { Temporal } = globalThis as { Temporal?: Readonly<Record<string, TemporalClass | undefined>> };
  const made = Temporal?.[name];
  if (made === undefined)
    throw new TypeError(`this host has no Temporal.${name}: take a Node that has (26), or a polyfill that sets globalThis.Temporal.`);
  return {
    is: (value) => value instanceof (made as unknown as new () => unknown),
    encode: String,
    decode(text) {
      if (typeof text !== 'string' || text.length > TEMPORAL_LENGTH_MAX) throw new TypeError('no such text');
      return made.from(text);
    },
  };
}

/** Whether the codec makes something of what came. */
export function reads(codec: Codec, wire: unknown): boolean {
  try {
    return codec.is(codec.decode(wire));
  } catch {
    return false;
  }
}

export function codecRule({ name, wire }: CodecShape, { rule, mode }: Compiling): Rule {
  const { check, convert } = rule(wire);
  const toInstance = (value: unknown): unknown => {
    const codec = codecOf(name);
    if (codec.is(value)) return value;
    const sent = convert === null ? value : convert(value);
    return check(sent) && reads(codec, sent) ? codec.decode(sent) : value;
  };
  return {
    expected: name,
    kinds: Kind.ALL,
    check: (value) => codecOf(name).is(value),
    explain: (value, path, report) => report.add(path, name, value),
    convert: mode === 'text' ? toInstance : null,
  };
}
