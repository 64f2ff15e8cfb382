/**
 * Names, addresses and URIs as texts: whether they are some (RFC 1123, 4291, 3986, 6570). Taken apart by
 * their delimiters, so that no text makes a check go back over it.
 */

const HOSTNAME_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const GROUPS = 8;

export const isHostname = (text: string): boolean => text.length <= HOSTNAME_MAX && text.split('.').every((label) => LABEL.test(label));

export function isIpv4(text: string): boolean {
  const parts = text.split('.', 5);
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Without a zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::', 3);
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':', GROUPS + 1)));
  const last = groups.at(-1)?.at(-1) ?? '';
  const isMapped = last.includes('.');
  const hex = isMapped ? groups.flat().slice(0, -1) : groups.flat();
  if ((isMapped && !isIpv4(last)) || !hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  const count = hex.length + (isMapped ? 2 : 0);
  return halves.length === 2 ? count < GROUPS : count === GROUPS;
}

/** Nothing but what RFC 3986 knows, and percent signs with two digits behind them. */
const isUriText = (text: string): boolean => !/[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![0-9a-f]{2})/i.test(text);

export function isUri(text: string): boolean {
  const found = /^[a-z][a-z0-9+.-]*:/i.exec(text);
  return found !== null && isUriText(text) && isHierarchy(text.slice(found[0].length));
}

export function isUriReference(text: string): boolean {
  if (isUri(text)) return true;
  // A colon within the first segment would make a scheme of it.
  return isUriText(text) && !/^[^/?#]*:/.test(text) && isHierarchy(text);
}

/** What follows the scheme: brackets are for addresses, and there is one fragment. */
function isHierarchy(text: string): boolean {
  const [main = '', , more] = text.split('#', 3);
  if (more !== undefined) return false;
  if (!main.startsWith('//')) return !/[[\]]/.test(text);
  const authority = /^[^/?]*/.exec(main.slice(2))?.[0] ?? '';
  return isAuthority(authority) && !/[[\]]/.test(text.slice(2 + authority.length));
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  const user = at < 0 ? '' : text.slice(0, at);
  if (/[@[\]]/.test(user)) return false;
  const found = /^(\[[^\]]*\]|[^:[\]]*)(?::\d*)?$/.exec(text.slice(at + 1));
  const host = found?.[1];
  if (host === undefined || !host.startsWith('[')) return host !== undefined;
  return isIpv6(host.slice(1, -1)) || /^\[v[0-9a-f]+\.[^%]+\]$/i.test(host);
}

/** RFC 6570: literals, and expressions in braces. */
export function isUriTemplate(text: string): boolean {
  const pieces = text.split(/([{}])/);
  for (let at = 0; at < pieces.length; at += 4) {
    if (!isTemplateLiteral(pieces[at] as string)) return false;
    if (at + 1 === pieces.length) return true;
    if (pieces[at + 1] !== '{' || pieces[at + 3] !== '}' || !isExpression(pieces[at + 2] as string)) return false;
  }
  return false;
}

const isTemplateLiteral = (text: string): boolean => !/[\x00-\x20"'<>\\^`|\x7f]|%(?![0-9a-f]{2})/i.test(text);

const isExpression = (text: string): boolean =>
  text
    .replace(/^[+#./;?&=,!@|]/, '')
    .split(',')
    .every((name) => /^(?:\w|%[0-9a-f]{2})(?:[\w.]|%[0-9a-f]{2})*(?::[1-9]\d{0,3}|\*)?$/i.test(name));
