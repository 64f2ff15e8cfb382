/**
 * A reply becomes what Lambda is given back, in the format of the event that asked.
 */
import type { Collected } from '../../app/collected.ts';
import { withoutConnection } from '../../exchange/message-exchange.ts';
import type { LambdaFormat, LambdaResult } from './event-types.ts';

/** Types whose content is text, if it is UTF-8. */
const TEXT =
  /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript|ecmascript|x-www-form-urlencoded|graphql|yaml|toml|x-ndjson)\b|image\/svg\+xml|multipart\/mixed)/i;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Says of a type whether its content is to be passed on as bytes. */
export type IsBinary = (contentType: string) => boolean;

export function toResult(reply: Collected, format: LambdaFormat, isBinary: IsBinary | undefined): LambdaResult {
  const lines = withoutConnection(reply.rawHeaders);
  return { statusCode: reply.status, ...fieldsOf(lines, format), ...bodyOf(reply.content, lines, isBinary) };
}

type Line = readonly [name: string, value: string];

function fieldsOf(lines: readonly Line[], format: LambdaFormat): Pick<LambdaResult, 'headers' | 'multiValueHeaders' | 'cookies'> {
  if (format === 'v2') return singleOf(lines);
  if (format === 'alb') {
    const { headers, cookies = [] } = singleOf(lines);
    return { headers: { ...headers, ...inManyCases('set-cookie', cookies) } };
  }
  const multiValueHeaders = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of lines) (multiValueHeaders[name.toLowerCase()] ??= []).push(value);
  return { multiValueHeaders };
}

/** One value for each name; cookies, which cannot be joined, apart. */
export function singleOf(lines: readonly Line[]): { headers: Record<string, string>; cookies?: string[] } {
  const headers = Object.create(null) as Record<string, string>;
  const cookies: string[] = [];
  for (const [given, value] of lines) {
    const name = given.toLowerCase();
    if (name === 'set-cookie') cookies.push(value);
    else headers[name] = name in headers ? `${headers[name] as string}, ${value}` : value;
  }
  return cookies.length === 0 ? { headers } : { headers, cookies };
}

/**
 * A load balancer without multi-value fields takes one value for each name, and names that differ in case for
 * different ones: so it sends several cookies. Of `set-cookie` there are 512 spellings.
 */
function inManyCases(name: string, values: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  const letters = [...name];
  const places = letters.flatMap((letter, at) => (letter === '-' ? [] : [at]));
  for (const [count, value] of values.slice(0, 2 ** places.length).entries()) {
    const spelling = letters.map((letter, at) =>
      places.includes(at) && (count >> places.indexOf(at)) % 2 === 1 ? letter.toUpperCase() : letter,
    );
    fields[spelling.join('')] = value;
  }
  return fields;
}

/** Text where it is text by its type and by its bytes, else base64. */
function bodyOf(
  content: Uint8Array,
  lines: readonly Line[],
  isBinary: IsBinary | undefined,
): Pick<LambdaResult, 'body' | 'isBase64Encoded'> {
  if (content.byteLength === 0) return { body: '', isBase64Encoded: false };
  const text = isText(lines, isBinary) ? textOf(content) : undefined;
  if (text !== undefined) return { body: text, isBase64Encoded: false };
  return { body: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64'), isBase64Encoded: true };
}

function isText(lines: readonly Line[], isBinary: IsBinary | undefined): boolean {
  const { headers } = singleOf(lines);
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity') return false;
  const type = headers['content-type'] ?? '';
  return isBinary === undefined ? type === '' || TEXT.test(type) : !isBinary(type);
}

function textOf(content: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(content);
  } catch {
    return undefined;
  }
}
