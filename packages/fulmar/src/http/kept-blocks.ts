/**
 * Header blocks of replies before: most replies of an application repeat one of a few. A block is taken again
 * when every name is the same object and every value the same text or number. Holds values of the
 * application, as few as a table of fixed size, and none of what is one client's: no cookies, no lists.
 */
import { FieldKind } from './header-name.ts';
import type { HeaderName } from './header-name.ts';
import type { HeaderList } from './headers-out.ts';

export interface KeptBlock {
  readonly list: HeaderList;
  readonly block: string;
  /**
   * Index of the first field in `list` that means something to the framing, or its length. Such fields are
   * noted for each reply.
   */
  readonly notedFrom: number;
}

const { create, keys } = Object;

const PLACES = 64;
/** Names and values: larger blocks are rarely the same. */
const ELEMENTS_MAX = 32;
const CHARS_MAX = 2048;
/** A place that is taken goes to another block after so many that are not there. */
const MISSES_PER_REPLACEMENT = 16;

/** Without holes: setters of `Array.prototype` are not asked. */
const places = new Array<KeptBlock | undefined>(PLACES).fill(undefined);
let misses = 0;

const placeOf = (list: HeaderList): number => {
  const last = list[list.length - 1];
  return (list.length * 29 + (typeof last === 'string' ? last.length : 0)) & (PLACES - 1);
};

/** The block of these fields, when it is known. */
export function keptBlock(list: HeaderList): KeptBlock | undefined {
  const kept = places[placeOf(list)];
  if (kept === undefined) return undefined;
  const known = kept.list;
  if (known.length !== list.length) return undefined;
  for (let i = list.length - 1; i >= 0; i--) if (list[i] !== known[i]) return undefined;
  return kept;
}

/** Remembers the block of these fields, perhaps. Returns the text to send. */
export function keepBlock(list: HeaderList, block: string): string {
  const at = placeOf(list);
  if (places[at] !== undefined && ++misses % MISSES_PER_REPLACEMENT !== 0) return block;
  if (list.length > ELEMENTS_MAX || block.length > CHARS_MAX) return block;
  let notedFrom = list.length;
  for (let i = list.length - 2; i >= 0; i -= 2) {
    if (!isKept(list[i] as HeaderName, list[i + 1])) return block;
    if ((list[i] as HeaderName).kind !== FieldKind.plain) notedFrom = i;
  }
  const flat = inOnePiece(block);
  places[at] = { list: list.slice(), block: flat, notedFrom };
  return flat;
}

/**
 * A text put together of parts is written in two goes, one in one piece in one. V8 makes one piece of what it
 * uses as a key; a way through memory would go by methods of `Buffer`, which an application may replace.
 */
function inOnePiece(text: string): string {
  const holder = create(null) as Record<string, number>; // Without a shape of its own for each text.
  holder[text] = 0;
  return keys(holder)[0] ?? text;
}

function isKept({ kind, isNumeric, lower }: HeaderName, value: unknown): boolean {
  if ((typeof value !== 'string' && typeof value !== 'number') || isNumeric) return false;
  return kind !== FieldKind.cookie && kind !== FieldKind.contentDisposition && lower !== 'set-cookie';
}
