/**
 * Parts of this folder that many applications never use, behind functions: loaded on their first call in the
 * built package.
 */
import borrowed_ from './borrowed.ts';
import cluster_ from './cluster.ts';
import socket_ from './socket.ts';

export const borrowed = (): typeof borrowed_ => borrowed_;
export const cluster = (): typeof cluster_ => cluster_;
export const socket = (): typeof socket_ => socket_;
