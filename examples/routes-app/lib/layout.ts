/**
 * Pages as template strings: what is put in is text, but for what is marked as markup.
 */

class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const written = (value: unknown): string => {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  return String(value ?? '').replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string);
};

export const html = (texts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(texts.map((text, at) => text + (at < values.length ? written(values[at]) : '')).join(''));

export function page(title: string, user: string | undefined, content: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} – Logbook</title>
        <link rel="stylesheet" href="/site.css" />
      </head>
      <body>
        <nav>
          <a href="/">Logbook</a> <a href="/live">Live</a> <a href="/about">About</a>
          <span id="user">${user ?? 'nobody'}</span>
        </nav>
        <main>${content}</main>
      </body>
    </html>`.text;
}
