/** The data: books and their authors, kept in memory, and a batching look-up as a data loader has it. */
export const authors = [
  { id: 'a1', name: 'Halldór Laxness', born: 1902 },
  { id: 'a2', name: '紫式部', born: 973 },
  { id: 'a3', name: 'Tove Jansson', born: 1914 },
];

export const books = [
  { id: 'b1', title: 'Independent People', authorId: 'a1', pages: 482, kind: 'NOVEL' },
  { id: 'b2', title: '源氏物語', authorId: 'a2', pages: 1120, kind: 'NOVEL' },
  { id: 'b3', title: 'Sommarboken', authorId: 'a3', pages: 166, kind: 'NOVEL' },
  { id: 'b4', title: 'Trollvinter ☃', authorId: 'a3', pages: 140, kind: 'PICTURES' },
];

/** Collects what is asked for within one tick and answers all of it at once. */
export class AuthorLoader {
  batches = 0;
  #waiting = new Map();

  load(id) {
    if (this.#waiting.size === 0) process.nextTick(() => this.#answer());
    return new Promise((resolve) => this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), resolve]));
  }

  #answer() {
    this.batches += 1;
    for (const [id, all] of this.#waiting) for (const resolve of all) resolve(authors.find((author) => author.id === id));
    this.#waiting = new Map();
  }
}
