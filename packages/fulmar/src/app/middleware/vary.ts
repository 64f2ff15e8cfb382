/** What a reply depends on: names are added to `Vary`, each once. */
import type { AnyContext } from '../context.ts';

export function addVary(c: AnyContext, field: string): void {
  const given = (c.lines?.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  if (!given.includes('*') && !given.includes(field.toLowerCase())) c.header('Vary', field, { append: true });
}
