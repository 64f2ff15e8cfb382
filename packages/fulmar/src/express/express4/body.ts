// The body parsers of version 4 (B… in docs/internals/express4.md).
export { json } from '../body/json.ts';
export { raw } from '../body/raw.ts';
export { text } from '../body/text.ts';
export { urlencoded } from '../body/urlencoded.ts';
