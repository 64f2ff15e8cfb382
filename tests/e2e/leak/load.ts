/**
 * The peers of the leak test: raw sockets that pipeline requests, leave early, upload (some only in part) and
 * upgrade.
 */
import net from 'node:net';

const PIPELINED = 16;
const CONNECTIONS = 16;
const CROWD = 64;
const UPLOAD_BYTES = 256 * 1024;
const REQUEST = 'GET / HTTP/1.1\r\nHost: leak.test\r\n\r\n';
const UPGRADE = 'GET /echo HTTP/1.1\r\nHost: leak.test\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/**
 * Short lives, some after others: who leaves early does not wait for the server, so each crowd is followed by
 * one who does.
 */
async function crowds(port: number, count: number, live: () => Promise<void>): Promise<void> {
  for (let left = count; left > 0; left -= CROWD) {
    await crowd(Math.min(left, CROWD), live);
    await pipeline(port, 1);
  }
}

/** Many short lives at once; no more than `CONNECTIONS` of them. */
async function crowd(count: number, live: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await live();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

function closed(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });
}

/** Sends `count` requests over one connection, pipelined; resolves when every reply is there. */
async function pipeline(port: number, count: number): Promise<void> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const gone = closed(socket);
  let [sent, answered, tail] = [0, 0, ''];
  const fill = (): void => {
    const burst = Math.min(PIPELINED, count - sent);
    sent += burst;
    if (burst > 0) socket.write(REQUEST.repeat(burst));
  };
  socket.on('connect', fill);
  socket.on('data', (bytes) => {
    const text = tail + bytes.toString('latin1');
    const parts = text.split('{"message":"hello"}');
    answered += parts.length - 1;
    tail = parts.at(-1) ?? '';
    if (answered === count) socket.destroy();
    else if (answered === sent) fill();
  });
  await gone;
  if (answered !== count) throw new Error(`${answered} of ${count} replies came`);
}

/** Asks and leaves: after the first bytes of an endless reply, or before any reply. */
async function abort(port: number, path: string): Promise<void> {
  const socket = net.connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: leak.test\r\n\r\n`, () => path === '/never' && socket.destroy()),
  );
  socket.once('data', () => socket.resetAndDestroy());
  await closed(socket);
}

async function upload(port: number, isWhole: boolean): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  const gone = closed(socket);
  socket.write(`POST /upload HTTP/1.1\r\nHost: leak.test\r\nConnection: close\r\nContent-Length: ${UPLOAD_BYTES}\r\n\r\n`);
  socket.write(Buffer.alloc(isWhole ? UPLOAD_BYTES : UPLOAD_BYTES / 2), () => {
    if (!isWhole) socket.destroy();
  });
  socket.resume();
  await gone;
}

async function upgrade(port: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(UPGRADE));
  const gone = closed(socket);
  let text = '';
  socket.on('data', (bytes) => {
    const isFirst = text === '';
    text += bytes.toString('latin1');
    if (isFirst) socket.write('are you there');
    if (text.endsWith('are you there')) socket.end();
  });
  await gone;
  if (!text.endsWith('are you there')) throw new Error(`the upgraded connection answered ${JSON.stringify(text)}`);
}

/** `requests` pipelined requests, and a share of every other kind of visit. */
export async function visit(port: number, requests: number): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(port, Math.ceil(requests / CONNECTIONS))));
  const others = Math.ceil(requests / 250);
  await crowds(port, others, () => abort(port, '/endless'));
  await crowds(port, others, () => abort(port, '/never'));
  await crowds(port, Math.ceil(others / 4), () => upload(port, true));
  await crowds(port, Math.ceil(others / 4), () => upload(port, false));
  await crowds(port, others, () => upgrade(port));
}
