// Resident memory, sampled from outside: a server that answered once and rests, and what an idle keep-alive connection adds.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { scenarios } from './contestants.mjs';
import { load } from './load.mjs';
import { memory, startServer, stopServer } from './process.mjs';
import { parseReply, rawRequest, requestText } from './request.mjs';

const idleMs = 2000;
const connectionCount = 5000;
const openAtOnce = 100;

/** `{ rss, pss }` in bytes of a fresh server two seconds after its first reply. */
export async function idleMemory(contestant) {
  const server = await startServer(contestant);
  try {
    await rawRequest(server.port, requestText(scenarios[contestant.scenario]));
    await sleep(idleMs);
    return memory(server.child.pid);
  } finally {
    await stopServer(server);
  }
}

/** Bytes of RSS that each of 5,000 idle keep-alive connections adds to a warm server; each made one request. */
export async function connectionMemory(contestant, warmS) {
  const server = await startServer(contestant);
  const sockets = [];
  try {
    const scenario = scenarios[contestant.scenario];
    await load({ port: server.port, scenario, durationS: warmS });
    await sleep(idleMs);
    const before = memory(server.child.pid).rss;
    for (let opened = 0; opened < connectionCount; opened += openAtOnce) {
      sockets.push(...(await Promise.all(Array.from({ length: openAtOnce }, () => openIdle(server.port, requestText(scenario))))));
    }
    await sleep(idleMs);
    const dead = sockets.filter((socket) => socket.destroyed).length;
    if (dead > 0) throw new Error(`${dead} of ${connectionCount} connections were closed by the server`);
    return (memory(server.child.pid).rss - before) / connectionCount;
  } finally {
    for (const socket of sockets) socket.destroy();
    await stopServer(server);
  }
}

function openIdle(port, text) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text));
    socket.once('error', reject);
    const onData = (data) => {
      received = Buffer.concat([received, data]);
      if (parseReply(received) === undefined) return;
      socket.removeListener('data', onData);
      socket.resume();
      resolve(socket);
    };
    socket.on('data', onData);
  });
}
