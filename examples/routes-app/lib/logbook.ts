/**
 * What the observatory has seen, in memory, and who is told of it.
 */
import { EventEmitter } from 'node:events';

export interface Sighting {
  readonly id: number;
  readonly species: string;
  readonly count: number;
  readonly by: string;
  readonly at: string;
}

const SIGHTINGS_MAX = 10_000;

const sightings = new Map<number, Sighting>();
let lastId = 0;

export const changes = new EventEmitter<{ sighting: [Sighting] }>();
// One for each page that is open.
changes.setMaxListeners(0);

/** The newest first. */
export function list({
  species,
  limit = 20,
}: { readonly species?: string | undefined; readonly limit?: number | undefined } = {}): Sighting[] {
  const found = [...sightings.values()].reverse();
  return found.filter((one) => species === undefined || one.species.toLowerCase().includes(species.toLowerCase())).slice(0, limit);
}

export const find = (id: number): Sighting | undefined => sightings.get(id);

export function add(given: Pick<Sighting, 'species' | 'count' | 'by'>): Sighting {
  const sighting: Sighting = { id: (lastId += 1), ...given, at: new Date().toISOString() };
  sightings.set(sighting.id, sighting);
  const [oldest] = sightings.keys();
  if (sightings.size > SIGHTINGS_MAX && oldest !== undefined) sightings.delete(oldest);
  changes.emit('sighting', sighting);
  return sighting;
}

export const remove = (id: number): boolean => sightings.delete(id);

/** How many of each kind, the most first. */
export function totals(): { species: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { species, count } of sightings.values()) counts.set(species, (counts.get(species) ?? 0) + count);
  return [...counts].map(([species, count]) => ({ species, count })).toSorted((one, other) => other.count - one.count);
}

add({ species: 'Northern fulmar', count: 12, by: 'ada' });
add({ species: 'Atlantic puffin', count: 3, by: 'noor' });
