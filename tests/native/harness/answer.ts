/** The child's side of a conversation: asks its parent for questions and answers them in order. */
import type { Lookup } from './write.ts';
import { planOf, say } from './write.ts';

export interface ConversationPlan {
  readonly lookup: Lookup;
  /** Where the parent waits. */
  readonly port: number;
}

export function answerQuestions(answer: (question: unknown) => Promise<object>): void {
  const { lookup, port } = planOf<ConversationPlan>();
  const net = lookup('node:net') as typeof import('node:net');
  const socket = net.connect(port, '127.0.0.1');
  let rest = '';
  let before = Promise.resolve();
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) before = before.then(async () => say(await answer(JSON.parse(line) as unknown)));
  });
  socket.on('error', () => socket.destroy());
}
