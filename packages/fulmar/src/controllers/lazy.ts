/**
 * Parts of this folder that many applications never use: requests and responses as Express has them, a server, Observables of
 * the application's `rxjs`. Loaded on their first call in the built package.
 */
import expressDoor_ from './http/express-door.ts';
import server_ from './http/server.ts';
import rxjs_ from './pipeline/rxjs.ts';

export const expressDoor = (): typeof expressDoor_ => expressDoor_;
export const server = (): typeof server_ => server_;
export const rxjs = (): typeof rxjs_ => rxjs_;
