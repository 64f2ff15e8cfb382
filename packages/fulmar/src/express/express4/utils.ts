/**
 * What `express/lib/utils` of version 4 exports, for programs that use its members. Replacing one changes
 * nothing here: applications call the functions themselves. Loaded only when somebody asks for that file.
 */
import contentDisposition from 'content-disposition4';
import { format, parse } from 'content-type4';
import depd from 'depd';
import { strongEtag, weakEtag } from '../../web/etag.ts';
import type { AcceptedType } from '../../web/accepted-type.ts';
import { lookupType } from './media-types.ts';
import { isAbsolute } from './response-files.ts';
import { compileEtag, compileQueryParser, compileTrust } from './settings.ts';

const deprecate = depd('express');

export const utils = {
  etag: strongEtag,
  wetag: weakEtag,
  // Upstream's answers nothing for a path that is not.
  isAbsolute: (path: string): true | undefined => isAbsolute(path) || undefined,
  flatten: deprecate.function(flatten, 'utils.flatten: use array-flatten npm module instead'),
  normalizeType,
  normalizeTypes: (types: readonly string[]): AcceptedType[] => types.map((type) => normalizeType(type)),
  contentDisposition: deprecate.function(
    contentDisposition,
    'utils.contentDisposition: use content-disposition npm module instead',
  ) as typeof contentDisposition,
  compileETag: compileEtag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

function flatten(values: ArrayLike<unknown>, depth: number = Infinity): unknown[] {
  return Array.from(values).flat(depth);
}

function normalizeType(type: string): AcceptedType {
  return type.includes('/') ? acceptParams(type) : { value: lookupType(type), params: {} };
}

function acceptParams(text: string): AcceptedType {
  const [value = '', ...rest] = text.split(/ *; */);
  const accepted: AcceptedType = { value, quality: 1, params: {} };
  for (const item of rest) {
    const [name = '', given] = item.split(/ *= */);
    if (name === 'q') accepted.quality = Number.parseFloat(given as string);
    else accepted.params[name] = given as string;
  }
  return accepted;
}

function setCharset(type: string, charset: string): string {
  if (!type || !charset) return type;
  const parsed = parse(type);
  parsed.parameters.charset = charset;
  return format(parsed);
}
