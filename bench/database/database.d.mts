/** What the tests, which are checked, use of `database.mjs`. */
export function findBinaries(): string;
export function startDatabase(options?: { readonly core?: number }): Promise<{ readonly url: string; stop(): Promise<void> }>;
