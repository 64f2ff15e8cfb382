/**
 * What clients send and are sent: cells of sixteen characters that name the client, its request and the
 * place. Any cell of another client, at any place of any memory, is a finding. Both sides import this; it
 * takes nothing from Node, so that no patch of the application's can reach it.
 */

export const CELL_BYTES = 16;

/**
 * One cell, `M07:012:000000a.`: client, request, index. All of it may stand in a target, a field value and
 * content.
 */
export function cell(client: number, number: number, index = 0): string {
  return `M${String(client).padStart(2, '0')}:${number.toString(16).padStart(3, '0')}:${index.toString(16).padStart(7, '0')}.`;
}

/** The pattern's characters from `from` on, `length` of them. */
export function pattern(client: number, number: number, from: number, length: number): string {
  const first = Math.floor(from / CELL_BYTES);
  const last = Math.ceil((from + length) / CELL_BYTES);
  const cells: string[] = [];
  for (let index = first; index < last; index += 1) cells.push(cell(client, number, index));
  const skipped = from - first * CELL_BYTES;
  return cells.join('').slice(skipped, skipped + length);
}

/** What an application writes over memory that it was given. */
export const FILL = 'z'.charCodeAt(0);

const ANY_CELL = /M(\d\d):[0-9a-f]{3}:[0-9a-f]{7}\./g;

/** The clients whose cells are in a latin1 text. */
export function clientsIn(text: string): Set<number> {
  const found = new Set<number>();
  for (const match of text.matchAll(ANY_CELL)) found.add(Number(match[1]));
  return found;
}

/** A client other than `own` whose cell is in the text, or -1. */
export function foreignIn(text: string, own: number): number {
  for (const client of clientsIn(text)) if (client !== own) return client;
  return -1;
}

/**
 * Where the text differs from the pattern other than by what the application wrote over it; -1 when it does
 * not.
 */
export function damageIn(text: string, client: number, number: number, from: number): number {
  const expected = pattern(client, number, from, text.length);
  if (text === expected) return -1;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] !== expected[i] && text.charCodeAt(i) !== FILL) return i;
  }
  return -1;
}
