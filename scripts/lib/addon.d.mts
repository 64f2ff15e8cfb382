/** What `addon.mjs` exports, for tests. */
export function platformTag(): string;
