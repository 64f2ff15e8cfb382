/**
 * Parts of this folder that an app without a port, or without what they are for, never uses, behind functions: loaded on their first call in
 * the built package.
 */
import compression_ from './compression.ts';
import files_ from './files.ts';
import jsonSchema_ from './json-schema.ts';
import serve_ from './serve.ts';
import messages_ from './messages.ts';

export const compression = (): typeof compression_ => compression_;
export const files = (): typeof files_ => files_;
export const jsonSchema = (): typeof jsonSchema_ => jsonSchema_;
export const serve = (): typeof serve_ => serve_;
export const messages = (): typeof messages_ => messages_;
