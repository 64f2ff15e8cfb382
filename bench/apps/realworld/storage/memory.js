// Keeps everything in this process. Nothing is saved; every start begins with the seed.
import { taken } from '../lib/errors.js';
import { createSeed } from './seed.js';

export async function openMemoryStorage() {
  return new MemoryStorage(await createSeed());
}

class MemoryStorage {
  name = 'memory';
  users = new Map();
  articles = new Map();
  bySlug = new Map();
  byAuthor = new Map();
  byTag = new Map();
  /** By article: who likes it. By user: whom they follow. */
  favorites = new Map();
  follows = new Map();
  comments = new Map();
  lastIds = { user: 0, article: 0, comment: 0 };

  constructor(seed) {
    for (const user of seed.users) this.users.set(user.id, user);
    for (const tag of seed.tags) this.byTag.set(tag, new Set());
    for (const article of seed.articles) this.#insert(article);
    for (const comment of seed.comments) this.comments.get(comment.articleId).push(comment);
    for (const { followerId, followedId } of seed.follows) entry(this.follows, followerId).add(followedId);
    for (const { userId, articleId } of seed.favorites) entry(this.favorites, articleId).add(userId);
    this.lastIds = { user: seed.users.length, article: seed.articles.length, comment: seed.comments.length };
  }

  async findUserById(id) {
    return this.users.get(id);
  }

  async findUserByEmail(email) {
    return this.#user('email', email);
  }

  async createUser({ username, email, passwordHash }) {
    this.#checkUnique({ username, email });
    const user = { id: ++this.lastIds.user, username, email, passwordHash, bio: null, image: null };
    this.users.set(user.id, user);
    return user;
  }

  async updateUser(id, changes) {
    const user = this.users.get(id);
    if (user === undefined) return undefined;
    this.#checkUnique(changes, id);
    return Object.assign(user, changes);
  }

  async findProfile(username, viewerId) {
    const user = this.#user('username', username);
    return user && this.#profile(user.id, viewerId);
  }

  async follow(followerId, username) {
    const user = this.#user('username', username);
    if (user !== undefined) entry(this.follows, followerId).add(user.id);
  }

  async unfollow(followerId, username) {
    this.follows.get(followerId)?.delete(this.#user('username', username)?.id);
  }

  async listArticles({ tag, author, favorited, feedOf, limit, offset }, viewerId) {
    let ids = tag === undefined ? this.articles.keys() : (this.byTag.get(tag) ?? []);
    if (author !== undefined) ids = intersect(this.byAuthor.get(this.#user('username', author)?.id), tag, ids);
    const fan = favorited === undefined ? undefined : this.#user('username', favorited)?.id;
    const isWanted = (id) =>
      (favorited === undefined || this.favorites.get(id)?.has(fan)) &&
      (feedOf === undefined || this.follows.get(feedOf)?.has(this.articles.get(id).authorId));
    // Ids grow with time: the last is the newest.
    const found = [...ids].filter(isWanted).toReversed();
    const page = found.slice(offset, offset + limit);
    return { articles: page.map((id) => this.#article(id, viewerId)), articlesCount: found.length };
  }

  async findArticle(slug, viewerId) {
    const id = this.bySlug.get(slug);
    return id === undefined ? undefined : this.#article(id, viewerId);
  }

  async createArticle(given, authorId) {
    const now = new Date();
    const article = { ...given, id: ++this.lastIds.article, authorId, createdAt: now, updatedAt: now };
    this.#insert(article);
    return this.#article(article.id, authorId);
  }

  async updateArticle(id, changes, viewerId) {
    const article = this.articles.get(id);
    if (article === undefined) return undefined;
    this.bySlug.delete(article.slug);
    Object.assign(article, changes, { updatedAt: new Date() });
    this.bySlug.set(article.slug, id);
    return this.#article(id, viewerId);
  }

  async deleteArticle(id) {
    const { slug, authorId, tagList } = this.articles.get(id);
    this.bySlug.delete(slug);
    this.byAuthor.get(authorId).delete(id);
    for (const tag of tagList) this.byTag.get(tag).delete(id);
    for (const map of [this.articles, this.favorites, this.comments]) map.delete(id);
  }

  async favorite(userId, articleId) {
    entry(this.favorites, articleId).add(userId);
  }

  async unfavorite(userId, articleId) {
    this.favorites.get(articleId)?.delete(userId);
  }

  async listComments(articleId, viewerId) {
    return this.comments.get(articleId).map((comment) => ({ ...comment, author: this.#profile(comment.authorId, viewerId) }));
  }

  async addComment(articleId, body, authorId) {
    const now = new Date();
    const comment = { id: ++this.lastIds.comment, articleId, authorId, body, createdAt: now, updatedAt: now };
    this.comments.get(articleId).push(comment);
    return { ...comment, author: this.#profile(authorId, authorId) };
  }

  async deleteComment(id) {
    for (const list of this.comments.values()) {
      const index = list.findIndex((comment) => comment.id === id);
      if (index !== -1) list.splice(index, 1);
    }
  }

  async listTags() {
    return [...this.byTag.keys()].toSorted();
  }

  async close() {}

  #insert(article) {
    this.articles.set(article.id, article);
    this.bySlug.set(article.slug, article.id);
    this.comments.set(article.id, []);
    entry(this.byAuthor, article.authorId).add(article.id);
    for (const tag of article.tagList) entry(this.byTag, tag).add(article.id);
  }

  #user(field, value) {
    for (const user of this.users.values()) if (user[field] === value) return user;
    return undefined;
  }

  #checkUnique(values, ownId) {
    for (const field of ['username', 'email']) {
      const user = values[field] === undefined ? undefined : this.#user(field, values[field]);
      if (user !== undefined && user.id !== ownId) throw taken(field);
    }
  }

  #profile(id, viewerId) {
    const { username, bio, image } = this.users.get(id);
    return { username, bio, image, following: this.follows.get(viewerId)?.has(id) ?? false };
  }

  #article(id, viewerId) {
    const article = this.articles.get(id);
    const fans = this.favorites.get(id);
    const counted = { favorited: fans?.has(viewerId) ?? false, favoritesCount: fans?.size ?? 0 };
    return { ...article, ...counted, author: this.#profile(article.authorId, viewerId) };
  }
}

/** The set of `key`, made when it is not there. */
function entry(map, key) {
  let set = map.get(key);
  if (set === undefined) map.set(key, (set = new Set()));
  return set;
}

function intersect(own = new Set(), tag, tagged) {
  if (tag === undefined) return own;
  const others = new Set(tagged);
  return [...own].filter((id) => others.has(id));
}
