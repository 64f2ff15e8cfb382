/** What a language is started with, as applications give it (`configure()`), and what is wrong with options that are none. */
import { nearest } from '../host/suggest.ts';
import type { Language, OptionKind, Settings } from './guest-types.ts';

export interface GuestConfiguration {
  /** Threads that calls run on: as many can wait for something at the same time. 1 to 256; default 4. */
  readonly threads?: number | undefined;
  /** Calls that may wait for a thread; more are `ERR_GUEST_BUSY`. Default 1,000. */
  readonly queue?: number | undefined;
  /** Java: its folder, instead of `FULMAR_JAVA_HOME`. */
  readonly home?: string | undefined;
  /** Java: options of the virtual machine, as `['-Xmx256m']`. */
  readonly jvmOptions?: readonly string[] | undefined;
}

const COMMON: Readonly<Record<string, OptionKind>> = { threads: 'number', queue: 'number' };
/** As `crates/guest/src/exported.rs` has it. */
const THREADS_MAX = 256;
const QUEUE_MAX = 1_000_000;

/** @throws TypeError for a name or a value that is none of them */
export function checkConfiguration(options: GuestConfiguration, language: Language): Settings {
  const kinds = { ...COMMON, ...language.configurable };
  const where = `${language.name}.configure()`;
  if (typeof options !== 'object' || options === null) throw new TypeError(`${where}: an object of options is expected`);
  const settings: Record<string, string | number | readonly string[]> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      const near = nearest(name, Object.keys(kinds));
      const hint = near === undefined ? `they are ${Object.keys(kinds).join(', ')}` : `did you mean ${near}?`;
      throw new TypeError(`${where} knows no option ${JSON.stringify(name)}: ${hint}`);
    }
    settings[name] = checked(kind, value, `${where}: ${name}`);
  }
  within(settings['threads'], THREADS_MAX, `${where}: threads`);
  within(settings['queue'], QUEUE_MAX, `${where}: queue`);
  return settings;
}

function checked(kind: OptionKind, value: unknown, where: string): string | number | readonly string[] {
  if (kind === 'number' && Number.isInteger(value)) return value as number;
  if (kind === 'text' && typeof value === 'string' && value !== '') return value;
  if (kind === 'texts' && Array.isArray(value) && value.every((one) => typeof one === 'string')) return [...value];
  const expected = { number: 'an integer', text: 'a text', texts: 'a list of texts' }[kind];
  throw new TypeError(`${where} is ${expected}, and this is ${typeof value === 'object' ? 'none' : String(value)}`);
}

function within(value: unknown, max: number, where: string): void {
  if (value !== undefined && !((value as number) >= 1 && (value as number) <= max))
    throw new TypeError(`${where} is a number from 1 to ${max}, and this is ${String(value)}`);
}
