/**
 * What `express/lib/utils` exports, for programs that use its members. Replacing one changes nothing here:
 * applications call the functions themselves. Loaded only when somebody asks for that file.
 */
import { format, parse } from 'content-type';
import { strongEtag, weakEtag } from '../web/etag.ts';
import { normalizeType } from '../web/accepted-type.ts';
import { methods } from './router/methods.ts';
import { compileEtag, compileQueryParser } from './settings.ts';
import { compileTrust } from '../web/trust.ts';

export const utils = {
  methods: [...methods],
  etag: strongEtag,
  wetag: weakEtag,
  normalizeType,
  normalizeTypes: (types: readonly string[]): unknown[] => types.map((type) => normalizeType(type)),
  compileETag: compileEtag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

function setCharset(type: string, charset: string): string {
  if (!type || !charset) return type;
  const { type: media, parameters } = parse(type);
  (parameters as Record<string, string>).charset = charset;
  return format({ type: media, parameters: parameters as Record<string, string> });
}
