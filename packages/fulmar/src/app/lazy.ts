/**
 * Parts of this folder that an app without a port never uses, behind functions: loaded on their first call in
 * the built package.
 */
import serve_ from './serve.ts';
import messages_ from './messages.ts';
import sockets_ from './websocket/sockets.ts';
import upgrade_ from './websocket/upgrade.ts';

export const serve = (): typeof serve_ => serve_;
export const messages = (): typeof messages_ => messages_;
export const websocket = (): typeof upgrade_ => upgrade_;
export const sockets = (): typeof sockets_ => sockets_;
