/**
 * Parts of this folder that most apps never use (a port, other applications, what documents need), behind
 * functions: loaded on their first call in the built package.
 */
import serve_ from './serve.ts';
import messages_ from './messages.ts';
import valibot_ from './openapi/valibot.ts';
import viewerFile_ from './openapi/viewer-file.ts';
import yaml_ from './openapi/yaml.ts';

export const serve = (): typeof serve_ => serve_;
export const messages = (): typeof messages_ => messages_;
export const valibot = (): typeof valibot_ => valibot_;
export const viewerFile = (): typeof viewerFile_ => viewerFile_;
export const yaml = (): typeof yaml_ => yaml_;
