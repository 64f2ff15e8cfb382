/** What of `Neighbours.java` is called here: written by hand. */
export interface Neighbour {
  readonly id: number;
  readonly similarity: number;
}

export interface Neighbours {
  add(id: number, text: string): Promise<Neighbour | null>;
  size(): Promise<number>;
}

/** The class itself: `new` gives a promise of an object that stays in Java. */
declare const neighbours: { new (textsMax: number): Promise<Neighbours> };
export default neighbours;
