/**
 * The socket.io gateway: acknowledgements, rooms, validation, guards, interceptors, filters, binary,
 * refusals.
 */
import assert from 'node:assert/strict';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';
import type { Conversation, Talk } from '../../support/compare.ts';
import { until } from '../../support/until.ts';

interface Member {
  readonly socket: Socket;
  /** The next event, and the ones after it, in their order. */
  readonly heard: unknown[];
}

function open({ url, after }: Talk, transports: readonly string[], role = 'watcher'): Member {
  const socket = io(`${url}/chat`, { transports: [...transports], forceNew: true, reconnection: false, auth: { role } });
  const heard: unknown[] = [];
  socket.onAny((event: string, ...values: unknown[]) => heard.push([event, ...values]));
  socket.on('disconnect', (reason) => heard.push(['disconnect', reason]));
  after(() => socket.disconnect());
  return { socket, heard };
}

/** Waits for so many events and hands them over. */
async function hear({ heard }: Member, count: number): Promise<unknown[]> {
  await until(() => (heard.length >= count ? true : undefined), `${count} events, after ${JSON.stringify(heard)}`);
  return heard.splice(0, count);
}

/** Waits until so many members are left: goodbyes take a moment. */
function membersAre({ socket }: Member, wanted: number): Promise<number> {
  return until(async () => {
    const members: unknown = await socket.emitWithAck('members', null);
    return members === wanted ? wanted : undefined;
  }, `${wanted} members`);
}

export const chat: readonly Conversation[] = [['polling'], ['websocket'], ['polling', 'websocket']].map((transports) => ({
  name: `talks through a gateway over ${transports.join(', then ')}`,
  talk: async (talk: Talk): Promise<void> => {
    const { note } = talk;
    const one = open(talk, transports);
    note(await hear(one, 1));
    const two = open(talk, transports, 'warden');
    note(await hear(two, 1));
    for (const { socket } of [one, two]) note(await socket.emitWithAck('join', { room: 'cliff' }));
    one.socket.emit('say', { room: 'cliff', words: 'sjö ☃' });
    note([await hear(one, 1), await hear(two, 1)]);
    one.socket.emit('say', { room: '', words: 5 });
    note(await hear(one, 1));
    one.socket.emit('countdown', { from: 5 });
    note(await hear(one, 6));
    one.socket.emit('countdown', { from: 11 });
    note(await hear(one, 1));
    one.socket.emit('clear');
    note(await hear(one, 1));
    note(await two.socket.emitWithAck('clear', {}));
    one.socket.emit('fail');
    note(await hear(one, 1));
    note(await one.socket.emitWithAck('bytes', Buffer.alloc(200_000, 9)));
    const banned = open(talk, transports, 'banned');
    note(await hear(banned, 2));
    two.socket.disconnect();
    note(await membersAre(one, 1));
    one.socket.disconnect();
    note(await hear(one, 1));
    const last = open(talk, transports);
    note(await hear(last, 1));
    note(await membersAre(last, 1));
    last.socket.disconnect();
    await talk.client.get('/health', { 'X-Request-Id': 'after' });
  },
  check: (_replies: unknown, notes: readonly unknown[]) => assert.match(JSON.stringify(notes), /sjö ☃/),
}));
