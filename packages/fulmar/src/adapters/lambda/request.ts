/**
 * An event of Lambda's becomes a request without a connection. What each kind of event says of a request, and
 * how much of it was decoded on its way, differs.
 */
import type { MemoryRequest } from '../../exchange/memory-exchange.ts';
import type { LambdaContext, LambdaEvent, LambdaEventV1, LambdaEventV2, LambdaFormat } from './event-types.ts';

/** What a target cannot have, in a path that somebody has decoded; `%` where it escapes nothing. */
const NOT_IN_PATH = /[^!-~]+|["#<>?\\^`{|}]|%(?![0-9A-Fa-f]{2})/gu;

/** `basePath`: what stands before the application's paths. */
export function toRequest(event: LambdaEvent, format: LambdaFormat, context: LambdaContext, basePath: string): MemoryRequest {
  const lines = format === 'v2' ? linesOfV2(event as LambdaEventV2) : linesOfV1(event as LambdaEventV1);
  const content = contentOf(event);
  return {
    method: format === 'v2' ? (event as LambdaEventV2).requestContext.http.method : (event as LambdaEventV1).httpMethod,
    target: targetOf(event, format, basePath),
    rawHeaders: withLength(lines, content),
    content,
    remoteAddress: clientOf(event, format, lines),
    secure: valueIn(lines, 'x-forwarded-proto')?.trim().toLowerCase() !== 'http',
    platform: { event, context },
  };
}

function linesOfV2({ headers, cookies }: LambdaEventV2): string[] {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined && value !== null) lines.push(name, value);
  if (cookies && cookies.length > 0) lines.push('cookie', cookies.join('; '));
  return lines;
}

/** `headers` has the last value of each name, in case there are all of them. */
function linesOfV1({ headers, multiValueHeaders }: LambdaEventV1): string[] {
  const lines: string[] = [];
  const names = new Set<string>();
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) {
    for (const value of values ?? []) lines.push(name, value);
    names.add(name.toLowerCase());
  }
  for (const [name, value] of Object.entries(headers ?? {}))
    if (value !== undefined && value !== null && !names.has(name.toLowerCase())) lines.push(name, value);
  return lines;
}

function contentOf({ body, isBase64Encoded }: LambdaEvent): Uint8Array | null {
  if (typeof body !== 'string' || body === '') return null;
  return Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
}

/** The length is that of what there is: what was sent in chunks, or encoded, has another one by now. */
function withLength(lines: readonly string[], content: Uint8Array | null): string[] {
  if (content === null) return [...lines];
  const kept = lines.filter((_, index) => !/^(?:content-length|transfer-encoding)$/i.test(lines[index - (index % 2)] as string));
  return [...kept, 'content-length', String(content.byteLength)];
}

function valueIn(lines: readonly string[], name: string): string | undefined {
  for (let at = 0; at < lines.length; at += 2) if ((lines[at] as string).toLowerCase() === name) return lines[at + 1];
  return undefined;
}

/** Who has asked, by the word of AWS alone: a load balancer adds it behind what the client says. */
function clientOf(event: LambdaEvent, format: LambdaFormat, lines: readonly string[]): string | undefined {
  if (format === 'v2') return (event as LambdaEventV2).requestContext.http.sourceIp;
  if (format === 'v1') return (event as LambdaEventV1).requestContext?.identity?.sourceIp ?? undefined;
  const named: string[] = [];
  for (let at = 0; at < lines.length; at += 2)
    if ((lines[at] as string).toLowerCase() === 'x-forwarded-for') named.push(lines[at + 1] as string);
  return named.join(',').split(',').at(-1)?.trim();
}

function targetOf(event: LambdaEvent, format: LambdaFormat, basePath: string): string {
  const given = format === 'v2' ? pathOfV2(event as LambdaEventV2) : (event as LambdaEventV1).path;
  const path = withoutBase(given.startsWith('/') ? given : `/${given}`, basePath);
  const search = format === 'v2' ? ((event as LambdaEventV2).rawQueryString ?? '') : searchOfV1(event as LambdaEventV1, format);
  const escaped = path.replaceAll(NOT_IN_PATH, escape);
  return search === '' ? escaped : `${escaped}?${search.replaceAll(/[^!-~]+|#/gu, escape)}`;
}

/** Halves of characters, which nothing can encode, become U+FFFD. */
const escape = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));

/** A stage stands in the path at the address that AWS gives an API, and not at a domain of one's own. */
function pathOfV2({ rawPath, requestContext: { stage, domainName } }: LambdaEventV2): string {
  const isOfAws = domainName?.includes('.execute-api.') === true;
  return isOfAws && stage !== undefined && stage !== '$default' ? withoutBase(rawPath, `/${stage}`) : rawPath;
}

function withoutBase(path: string, base: string): string {
  if (base === '' || (path !== base && !path.startsWith(`${base}/`))) return path;
  return path.slice(base.length) || '/';
}

/** API Gateway has decoded names and values; a load balancer leaves them as they came. */
function searchOfV1({ multiValueQueryStringParameters: all, queryStringParameters: last }: LambdaEventV1, format: LambdaFormat): string {
  const encode = format === 'v1' ? escape : (text: string): string => text;
  const pairs: string[] = [];
  const values = all && Object.keys(all).length > 0 ? all : (last ?? {});
  for (const [name, given] of Object.entries(values))
    for (const value of [given ?? []].flat())
      pairs.push(value === '' && format !== 'v1' ? name : `${encode(name)}=${encode(value as string)}`);
  return pairs.join('&');
}
