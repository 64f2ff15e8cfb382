/** What the tests, which are checked, use of `psql.mjs`. */
export function psql(url: string, input: { readonly sql: string } | { readonly file: string }): Promise<string>;
