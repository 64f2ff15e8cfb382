/** The data of the application: birds, kept in memory, and who listens for new ones. */
import { createPubSub } from 'graphql-yoga';

export const pubSub = createPubSub();

const names = ['Fulmar', 'Kittiwake', 'Guillemot', 'Razorbill', 'Puffin', 'Gannet', 'Skua', 'Tern', 'Shag', 'Möwe ☃', '海鷗', 'Petrel'];

export const birds = names.map((name, index) => ({ id: String(index + 1), name, wingspanCm: 60 + index * 7, seenBy: index % 3 }));

export const watchers = [
  { id: '0', name: 'Ada', token: 'ada-token', isAdmin: true },
  { id: '1', name: 'Bergþóra', token: 'bergthora-token', isAdmin: false },
  { id: '2', name: '花子', token: 'hanako-token', isAdmin: false },
];

/** How subscriptions ended: the page of the harbour master shows it. */
export const harbour = { opened: 0, closed: 0 };

export function addBird({ name, wingspanCm }, watcher) {
  const bird = { id: String(birds.length + 1), name, wingspanCm, seenBy: Number(watcher.id) };
  birds.push(bird);
  pubSub.publish('bird', bird);
  return bird;
}
