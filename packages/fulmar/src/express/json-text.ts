/** JSON as `res.json` and `res.jsonp` send it. */
import { jsonText } from '../http/index.ts';
import type { ExpressResponse } from './message-types.ts';

type Spaces = string | number | undefined;
type Replacer = ((key: string, value: unknown) => unknown) | undefined;

/** `value` as JSON, with the settings of the application. */
export function stringify(res: ExpressResponse, value: unknown): string | undefined {
  const { settings } = res.app;
  const replacer = settings['json replacer'] as Replacer;
  const spaces = settings['json spaces'] as Spaces;
  const text = jsonText(value, replacer, spaces);
  return settings['json escape'] && typeof text === 'string' ? escapeHtmlCharacters(text) : text;
}

const ESCAPES: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

function escapeHtmlCharacters(text: string): string {
  return text.replace(/[<>&]/g, (character) => ESCAPES[character] as string);
}
