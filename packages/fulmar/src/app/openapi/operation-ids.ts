/**
 * Names of operations: `GET /birds/{id}` is `getBirdsById`, whatever else there is and in whatever order. Only
 * where two would be called alike the later one gets a number.
 */
import type { Template } from './path-templates.ts';

export class OperationIds {
  readonly #given = new Map<string, string>();
  readonly #used = new Set<string>();

  /** Those that routes give, before any is made. @throws TypeError for one that two routes have */
  reserve(id: string, where: string): void {
    const other = this.#given.get(id);
    if (other !== undefined) throw new TypeError(`operationId ${id} of ${where} is that of ${other} already: each operation has its own.`);
    this.#given.set(id, where);
    this.#used.add(id);
  }

  /** `ordinal`: a route with several operations gives its name to the first, and the others a part of it. */
  idOf(method: string, template: Template, own: string | undefined, ordinal: number): string {
    if (own !== undefined && ordinal === 0) return own;
    const wanted = own === undefined ? made(method, template.text) : `${own}${capital(made(method, template.text))}`;
    let id = wanted;
    for (let count = 2; this.#used.has(id); count++) id = `${wanted}${count}`;
    this.#used.add(id);
    return id;
  }
}

function made(method: string, path: string): string {
  const words = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => ` by ${name} `))
    .flatMap((segment) => segment.split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word !== '');
  return method.toLowerCase() + (words.length === 0 ? 'Root' : words.map(capital).join(''));
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
