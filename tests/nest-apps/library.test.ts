/** @nestjs/typeorm on SQLite. */
import { playNestApp } from './support/play.ts';

const book = (title: string, author: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ title, author }),
});

playNestApp({
  name: 'library',
  native: 'its SQLite is WebAssembly, which the native host does not run',
  async play({ ask }) {
    await ask('/books');
    await ask('/books', book('Emma', 'Austen'));
    await ask('/books', book('Persuasion', 'Austen'));
    await ask('/books', book('Emma', 'Somebody'));
    for (const path of ['', '/1', '/2', '/7', '/x', '/authors']) await ask(`/books${path}`);
    await ask('/books/1', { method: 'DELETE' });
    await ask('/books/1', { method: 'DELETE' });
    await ask('/books');
  },
});
