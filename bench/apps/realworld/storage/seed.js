// What both storages start with: 21 users, 200 articles, 3 comments each, some follow and like each other. The same every time.
import { hashPassword } from '../lib/passwords.js';

const authors = 20;
const articles = 200;
const commentsPerArticle = 3;
const topics = ['rust', 'node', 'express', 'postgres', 'testing', 'security', 'design', 'performance', 'http', 'typescript'];
const hourMs = 3_600_000;
const firstDay = Date.UTC(2024, 0, 1);
// These passwords are public. A hash at full cost would make every start and every login wait for nothing.
const demoCost = { N: 2, r: 1, p: 1 };

export async function createSeed() {
  return {
    users: [
      await toUser(1, 'ada', 'lovelace'),
      ...(await Promise.all(numbers(authors).map((n) => toUser(n + 1, `author${n}`, 'password')))),
    ],
    articles: numbers(articles).map(toArticle),
    comments: numbers(articles * commentsPerArticle).map(toComment),
    follows: numbers(authors + 1).flatMap((id) =>
      [1, 2, 3].map((step) => ({ followerId: id, followedId: ((id + step - 2) % authors) + 2 })),
    ),
    favorites: numbers(articles).flatMap((id) =>
      numbers(id % 5).map((step) => ({ userId: ((id + step) % (authors + 1)) + 1, articleId: id })),
    ),
    tags: [...topics, 'notes'].toSorted(),
  };
}

const numbers = (count) => Array.from({ length: count }, (_, index) => index + 1);

async function toUser(id, username, word) {
  const passwordHash = await hashPassword(`${word}-${id}`, demoCost, Buffer.from(username));
  const image = `https://images.example.com/${username}.png`;
  return { id, username, email: `${username}@example.com`, passwordHash, bio: `I am ${username} and I write about the web.`, image };
}

function toArticle(id) {
  const topic = topics[id % topics.length];
  const second = topics[(id + 1 + (id % 7)) % topics.length];
  const createdAt = new Date(firstDay + id * hourMs);
  return {
    id,
    slug: `notes-on-${topic}-${id}`,
    title: `Notes on ${topic} ${id}`,
    description: `What I learned about ${topic} in week ${id}`,
    body: `${numbers(6)
      .map((part) => `Part ${part}: ${topic} rewards those who measure first and who read what the specification says.`)
      .join('\n\n')}`,
    tagList: id === articles ? ['notes', topic] : [...new Set([topic, second])],
    authorId: (id % authors) + 2,
    createdAt,
    updatedAt: createdAt,
  };
}

function toComment(id) {
  const articleId = Math.ceil(id / commentsPerArticle);
  const createdAt = new Date(firstDay + articleId * hourMs + id * 1000);
  return {
    id,
    articleId,
    authorId: (id % authors) + 2,
    body: `Comment ${id}: thank you, this helped me.`,
    createdAt,
    updatedAt: createdAt,
  };
}
