// One raw request on one connection, and the reply as it came: what decides whether two contestants do equal work.
import { connect } from 'node:net';

const timeoutMs = 5000;

/** Sends `text`; resolves to `{ status, headers: [name, value][], body, bytes }` of a reply with Content-Length. */
export function rawRequest(port, text) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text));
    let received = Buffer.alloc(0);
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no complete reply in time')));
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      const reply = parseReply(received);
      if (reply === undefined) return;
      socket.destroy();
      resolve(reply);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('connection closed before a complete reply')));
  });
}

/** The first reply in `bytes`, or undefined while it is incomplete. */
export function parseReply(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error('the reply has no Content-Length');
  if (bytes.length < end + 4 + length) return undefined;
  const body = bytes.subarray(end + 4, end + 4 + length).toString('latin1');
  return { status: Number(statusLine.split(' ')[1]), statusLine, headers, body, bytes: end + 4 + length };
}

/** The request line, header and content that the load generator sends too. */
export function requestText({ method, path, content }) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  if (content === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;
}

/** Why two replies are not the same work, or undefined. `fields` lists what must be equal besides status and body. */
export function difference(ours, theirs, withHeaders) {
  if (ours.statusLine !== theirs.statusLine) return `status line "${ours.statusLine}" against "${theirs.statusLine}"`;
  if (ours.body !== theirs.body)
    return `body ${JSON.stringify(ours.body.slice(0, 80))} against ${JSON.stringify(theirs.body.slice(0, 80))}`;
  if (!withHeaders) return undefined;
  const [a, b] = [comparable(ours), comparable(theirs)];
  return a === b ? undefined : `header\n${a}\nagainst\n${b}`;
}

/** Values that depend on the moment or differ on purpose (keep-alive 72 s against 5 s) are left out, their fields are not. */
function comparable({ headers }) {
  return headers.map(([name, value]) => (/^(?:date|keep-alive|last-modified)$/i.test(name) ? name : `${name}: ${value}`)).join('\n');
}
