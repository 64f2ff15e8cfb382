/**
 * Parts of this folder that many applications never use (a port, other applications, what documents need),
 * behind functions: loaded on their first call in the built package.
 */
import compression_ from './compression.ts';
import files_ from './files.ts';
import jsonSchema_ from './json-schema.ts';
import multipart_ from './forms/multipart.ts';
import sendByNode_ from './proxy/send-by-node.ts';
import serve_ from './serve.ts';
import messages_ from './messages.ts';
import jose_ from './middleware/jwt/jose.ts';
import typeSchema_ from './type-schema.ts';
import valibot_ from './openapi/valibot.ts';
import viewerFile_ from './openapi/viewer-file.ts';
import yaml_ from './openapi/yaml.ts';
import sockets_ from './websocket/sockets.ts';
import upgrade_ from './websocket/upgrade.ts';

export const compression = (): typeof compression_ => compression_;
export const files = (): typeof files_ => files_;
export const multipart = (): typeof multipart_ => multipart_;
export const sendByNode = (): typeof sendByNode_ => sendByNode_;
export const jsonSchema = (): typeof jsonSchema_ => jsonSchema_;
export const serve = (): typeof serve_ => serve_;
export const messages = (): typeof messages_ => messages_;
export const jose = (): typeof jose_ => jose_;
export const typeSchema = (): typeof typeSchema_ => typeSchema_;
export const valibot = (): typeof valibot_ => valibot_;
export const viewerFile = (): typeof viewerFile_ => viewerFile_;
export const yaml = (): typeof yaml_ => yaml_;
export const websocket = (): typeof upgrade_ => upgrade_;
export const sockets = (): typeof sockets_ => sockets_;
