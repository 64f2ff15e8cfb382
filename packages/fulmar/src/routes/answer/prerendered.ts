/**
 * Replies that were made when the project was built, as routes before those that made them. They are files: with their tag,
 * ranges and 304. Middleware of the app stands around them; that of folders has had its say.
 */
import type { AnyContext, App } from '../../app/index.ts';
import { atPlace } from '../../app/place.ts';

/** One reply to GET. */
export interface PrerenderedPage {
  /** As the app's routes are written, below the prefix of the routes. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  readonly fields: Readonly<Record<string, string>>;
}

export function addPrerendered(app: App, pages: readonly PrerenderedPage[]): void {
  for (const page of pages) atPlace(`${page.file}:1`, () => void app.get(page.path as never, handlerOf(page) as never));
}

const handlerOf =
  ({ file, fields }: PrerenderedPage) =>
  (c: AnyContext): unknown => {
    for (const [name, value] of Object.entries(fields)) if (c.lines?.has(name) !== true) c.header(name, value);
    return c.file(file);
  };
