import { randomInt } from 'node:crypto';

const suffixDigits = 6;

/** Lower case words of a title, and random digits that keep two articles of one title apart. */
export function toSlug(title) {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const suffix = randomInt(36 ** suffixDigits)
    .toString(36)
    .padStart(suffixDigits, '0');
  return `${words || 'article'}-${suffix}`;
}
