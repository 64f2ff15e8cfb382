// The same storage on PostgreSQL, in a schema of its own that every start makes anew.
import pg from 'pg';
import { taken } from '../lib/errors.js';
import { loadSeed } from './load-seed.js';

const uniqueViolation = '23505';

const userColumns = 'id, username, email, password_hash AS "passwordHash", bio, image';
const profileColumns = `u.username, u.bio, u.image,
  EXISTS (SELECT 1 FROM follows w WHERE w.follower_id = $1 AND w.followed_id = u.id) AS following`;
const articleSelect = `SELECT a.id, a.slug, a.title, a.description, a.body, a.tag_list AS "tagList", a.author_id AS "authorId",
  a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  (SELECT count(*)::integer FROM favorites f WHERE f.article_id = a.id) AS "favoritesCount",
  EXISTS (SELECT 1 FROM favorites f WHERE f.article_id = a.id AND f.user_id = $1) AS favorited,
  ${profileColumns}
  FROM articles a JOIN users u ON u.id = a.author_id`;
const commentSelect = `SELECT c.id, c.body, c.author_id AS "authorId", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  ${profileColumns}
  FROM comments c JOIN users u ON u.id = c.author_id`;

/** Filters of a list: a condition whose `?` stands for the value's parameter. */
const filters = {
  tag: 'a.tag_list @> ARRAY[?::text]',
  author: 'a.author_id = (SELECT id FROM users WHERE username = ?)',
  favorited: 'a.id IN (SELECT f.article_id FROM favorites f JOIN users v ON v.id = f.user_id WHERE v.username = ?)',
  feedOf: 'a.author_id IN (SELECT followed_id FROM follows WHERE follower_id = ?)',
};

export async function openPostgresStorage({ databaseUrl, poolSize }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c search_path=realworld_demo' });
  pool.on('error', (error) => console.error(error));
  await loadSeed(pool);
  return new PostgresStorage(pool);
}

class PostgresStorage {
  name = 'postgresql';
  #pool;

  constructor(pool) {
    this.#pool = pool;
  }

  findUserById(id) {
    return this.#one(`SELECT ${userColumns} FROM users WHERE id = $1`, [id]);
  }

  findUserByEmail(email) {
    return this.#one(`SELECT ${userColumns} FROM users WHERE email = $1`, [email]);
  }

  createUser({ username, email, passwordHash }) {
    const sql = `INSERT INTO users (username, email, password_hash) VALUES ($1, $2, $3) RETURNING ${userColumns}`;
    return this.#one(sql, [username, email, passwordHash]);
  }

  updateUser(id, changes) {
    if (Object.keys(changes).length === 0) return this.findUserById(id);
    const { sets, values } = toSets(changes);
    return this.#one(`UPDATE users SET ${sets} WHERE id = $1 RETURNING ${userColumns}`, [id, ...values]);
  }

  findProfile(username, viewerId) {
    return this.#one(`SELECT ${profileColumns} FROM users u WHERE u.username = $2`, [viewerId, username]);
  }

  async follow(followerId, username) {
    const sql = 'INSERT INTO follows SELECT $1, id FROM users WHERE username = $2 ON CONFLICT DO NOTHING';
    await this.#pool.query(sql, [followerId, username]);
  }

  async unfollow(followerId, username) {
    const sql = 'DELETE FROM follows WHERE follower_id = $1 AND followed_id = (SELECT id FROM users WHERE username = $2)';
    await this.#pool.query(sql, [followerId, username]);
  }

  async listArticles({ limit, offset, ...given }, viewerId) {
    const chosen = Object.keys(filters).filter((name) => given[name] !== undefined);
    const values = chosen.map((name) => given[name]);
    const where = (first) => chosen.map((name, index) => filters[name].replace('?', `$${first + index}`)).join(' AND ') || 'true';
    const order = `ORDER BY a.created_at DESC, a.id DESC LIMIT $2 OFFSET $3`;
    const [page, count] = await Promise.all([
      this.#pool.query(`${articleSelect} WHERE ${where(4)} ${order}`, [viewerId, limit, offset, ...values]),
      this.#pool.query(`SELECT count(*)::integer AS count FROM articles a WHERE ${where(1)}`, values),
    ]);
    return { articles: page.rows.map(withAuthor), articlesCount: count.rows[0].count };
  }

  async findArticle(slug, viewerId) {
    return withAuthor(await this.#one(`${articleSelect} WHERE a.slug = $2`, [viewerId, slug]));
  }

  async createArticle({ slug, title, description, body, tagList }, authorId) {
    const sql = `WITH named AS (INSERT INTO tags SELECT unnest($5::text[]) ON CONFLICT DO NOTHING)
      INSERT INTO articles (slug, title, description, body, tag_list, author_id) VALUES ($1, $2, $3, $4, $5, $6)`;
    await this.#pool.query(sql, [slug, title, description, body, tagList, authorId]);
    return this.findArticle(slug, authorId);
  }

  async updateArticle(id, changes, viewerId) {
    const { sets, values } = toSets({ ...changes, updatedAt: new Date() });
    const updated = await this.#one(`UPDATE articles SET ${sets} WHERE id = $1 RETURNING slug`, [id, ...values]);
    return updated && this.findArticle(updated.slug, viewerId);
  }

  async deleteArticle(id) {
    await this.#pool.query('DELETE FROM articles WHERE id = $1', [id]);
  }

  async favorite(userId, articleId) {
    await this.#pool.query('INSERT INTO favorites (user_id, article_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [userId, articleId]);
  }

  async unfavorite(userId, articleId) {
    await this.#pool.query('DELETE FROM favorites WHERE user_id = $1 AND article_id = $2', [userId, articleId]);
  }

  async listComments(articleId, viewerId) {
    const { rows } = await this.#pool.query(`${commentSelect} WHERE c.article_id = $2 ORDER BY c.id`, [viewerId, articleId]);
    return rows.map(withAuthor);
  }

  async addComment(articleId, body, authorId) {
    const sql = 'INSERT INTO comments (article_id, body, author_id) VALUES ($1, $2, $3) RETURNING id';
    const { id } = await this.#one(sql, [articleId, body, authorId]);
    return withAuthor(await this.#one(`${commentSelect} WHERE c.id = $2`, [authorId, id]));
  }

  async deleteComment(id) {
    await this.#pool.query('DELETE FROM comments WHERE id = $1', [id]);
  }

  async listTags() {
    const { rows } = await this.#pool.query('SELECT name FROM tags ORDER BY name COLLATE "C"');
    return rows.map(({ name }) => name);
  }

  close() {
    return this.#pool.end();
  }

  async #one(sql, values) {
    try {
      const { rows } = await this.#pool.query(sql, values);
      return rows[0];
    } catch (error) {
      // Constraints are named after the field that must be unique.
      throw error.code === uniqueViolation ? taken(error.constraint) : error;
    }
  }
}

/** `name = $2, …` for the members of `changes`; names come from the routes' rules, never from a request. */
function toSets(changes) {
  const columns = Object.keys(changes).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return { sets: columns.map((column, index) => `${column} = $${index + 2}`).join(', '), values: Object.values(changes) };
}

function withAuthor(row) {
  if (row === undefined) return undefined;
  const { username, bio, image, following, ...rest } = row;
  return { ...rest, author: { username, bio, image, following } };
}
