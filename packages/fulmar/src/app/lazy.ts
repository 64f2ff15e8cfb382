/**
 * Parts of this folder that an app without a port never uses, behind functions: loaded on their first call in
 * the built package.
 */
import compression_ from './compression.ts';
import files_ from './files.ts';
import multipart_ from './forms/multipart.ts';
import sendByNode_ from './proxy/send-by-node.ts';
import serve_ from './serve.ts';
import messages_ from './messages.ts';

export const compression = (): typeof compression_ => compression_;
export const files = (): typeof files_ => files_;
export const multipart = (): typeof multipart_ => multipart_;
export const sendByNode = (): typeof sendByNode_ => sendByNode_;
export const serve = (): typeof serve_ => serve_;
export const messages = (): typeof messages_ => messages_;
