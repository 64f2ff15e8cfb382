/**
 * Parts of this folder that many applications never use, behind functions: loaded on their first call in the
 * built package.
 */
import serve_ from './serve.ts';
import messages_ from './messages.ts';
import jose_ from './middleware/jwt/jose.ts';

export const serve = (): typeof serve_ => serve_;
export const messages = (): typeof messages_ => messages_;
export const jose = (): typeof jose_ => jose_;
