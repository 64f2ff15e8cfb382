// The API's behaviour, run for every way it can be started. The server handed in is freshly seeded and used
// by nobody else.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const ada = { email: 'ada@example.com', password: 'lovelace-1' };
const article = {
  title: 'How to train your dragon',
  description: 'Ever wonder how?',
  body: 'With patience.',
  tagList: ['notes', 'dragons'],
};

/** Registers the suite `title` for the server that `open` starts. */
export function describeApi(title, open) {
  describe(title, () => {
    let server;
    let token;
    const call = (...args) => server.call(...args);
    before(async () => {
      server = await open();
      token = (await call('POST', '/api/users/login', { body: { user: ada } })).body.user.token;
    });
    after(() => server?.stop());
    const context = { call, token: () => token };
    reads(context);
    users(context);
    articles(context);
    errors(context);
    test('ends in order on SIGTERM', async () => assert.equal(await server.stop(), 0));
  });
}

function reads({ call, token }) {
  test('answers an index', async () => {
    const { status, body } = await call('GET', '/');
    assert.equal(status, 200);
    assert.equal(body.name, 'RealWorld API');
  });

  test('lists 20 of 200 articles, newest first, without their texts', async () => {
    const { status, body } = await call('GET', '/api/articles');
    assert.equal(status, 200);
    assert.equal(body.articlesCount, 200);
    assert.equal(body.articles.length, 20);
    assert.deepEqual([body.articles[0].slug, body.articles[19].slug], ['notes-on-rust-200', 'notes-on-node-181']);
    assert.equal('body' in body.articles[0], false);
  });

  for (const [query, count, first, length] of [
    ['?limit=5&offset=195', 200, 'notes-on-security-5', 5],
    ['?limit=5&offset=200', 200, undefined, 0],
    ['?author=author3&limit=3', 10, 'notes-on-express-182', 3],
    ['?tag=rust&author=author1', 10, 'notes-on-rust-200', 10],
    ['?tag=nothing', 0, undefined, 0],
    ['?author=nobody', 0, undefined, 0],
    ['?favorited=author1&limit=1', 18, 'notes-on-typescript-189', 1],
    ['?favorited=nobody', 0, undefined, 0],
  ]) {
    test(`lists articles by ${query}`, async () => {
      const { body } = await call('GET', `/api/articles${query}`);
      assert.equal(body.articlesCount, count);
      assert.equal(body.articles[0]?.slug, first);
      assert.equal(body.articles.length, length);
    });
  }

  test('feeds a user with those whom they follow', async () => {
    const { body } = await call('GET', '/api/articles/feed?limit=4', { token: token() });
    assert.equal(body.articlesCount, 30);
    assert.ok(body.articles.every(({ author }) => author.following));
  });

  test('shows an article, and to a viewer whether they follow its author', async () => {
    const { body } = await call('GET', '/api/articles/notes-on-express-2');
    assert.deepEqual(Object.keys(body.article), [
      'slug',
      'title',
      'description',
      'body',
      'tagList',
      'createdAt',
      'updatedAt',
      'favorited',
      'favoritesCount',
      'author',
    ]);
    assert.equal(body.article.author.following, false);
    assert.equal(body.article.createdAt, '2024-01-01T02:00:00.000Z');
    const seen = await call('GET', '/api/articles/notes-on-express-2', { token: token() });
    assert.equal(seen.body.article.author.following, true);
  });

  test('lists comments and tags', async () => {
    const { body } = await call('GET', '/api/articles/notes-on-postgres-3/comments');
    assert.deepEqual(
      body.comments.map(({ id }) => id),
      [7, 8, 9],
    );
    const { tags } = (await call('GET', '/api/tags')).body;
    assert.deepEqual(tags, [
      'design',
      'express',
      'http',
      'node',
      'notes',
      'performance',
      'postgres',
      'rust',
      'security',
      'testing',
      'typescript',
    ]);
  });

  test('allows other origins, before a request too', async () => {
    assert.equal((await call('GET', '/api/tags')).headers.get('access-control-allow-origin'), '*');
    const { status, headers } = await call('OPTIONS', '/api/articles', { headers: { 'access-control-request-method': 'POST' } });
    assert.equal(status, 204);
    assert.match(headers.get('access-control-allow-methods'), /POST/);
  });
}

function users({ call, token }) {
  test('registers a user, logs in, changes the user', async () => {
    const user = { username: 'grace', email: 'grace@example.com', password: 'hopper-1906' };
    const registered = await call('POST', '/api/users', { body: { user } });
    assert.equal(registered.status, 201);
    assert.deepEqual({ ...registered.body.user, token: '' }, { email: user.email, token: '', username: 'grace', bio: null, image: null });
    const own = registered.body.user.token;
    assert.equal((await call('GET', '/api/user', { token: own })).body.user.username, 'grace');
    const changes = { bio: 'I found the bug', password: 'cobol-1959' };
    assert.equal((await call('PUT', '/api/user', { token: own, body: { user: changes } })).body.user.bio, 'I found the bug');
    const again = await call('POST', '/api/users/login', { body: { user: { email: user.email, password: 'cobol-1959' } } });
    assert.equal(again.body.user.token, own);
    assert.equal((await call('PUT', '/api/user', { token: own, body: { user: {} } })).body.user.bio, 'I found the bug');
  });

  test('gives a user the same token at every login', async () => {
    const { body } = await call('POST', '/api/users/login', { body: { user: ada } });
    assert.equal(body.user.token, token());
    assert.equal((await call('GET', '/api/user', { headers: { authorization: `Bearer ${token()}` } })).status, 200);
  });

  test('shows, follows and unfollows a profile', async () => {
    assert.equal((await call('GET', '/api/profiles/author9')).body.profile.following, false);
    const steps = [
      ['POST', true],
      ['GET', true],
      ['POST', true],
      ['DELETE', false],
      ['GET', false],
    ];
    for (const [method, following] of steps) {
      const path = method === 'GET' ? '/api/profiles/author9' : '/api/profiles/author9/follow';
      const { status, body } = await call(method, path, { token: token() });
      assert.equal(status, 200);
      assert.equal(body.profile.following, following);
    }
  });
}

function articles({ call, token }) {
  const create = async () => (await call('POST', '/api/articles', { token: token(), body: { article } })).body.article;

  test('creates, changes and deletes an article', async () => {
    const created = await create();
    assert.match(created.slug, /^how-to-train-your-dragon-[0-9a-z]{6}$/);
    assert.deepEqual(created.tagList, article.tagList);
    assert.equal(created.author.username, 'ada');
    const options = { token: token(), body: { article: { title: 'Did you train it?' } } };
    const changed = (await call('PUT', `/api/articles/${created.slug}`, options)).body.article;
    assert.match(changed.slug, /^did-you-train-it-/);
    assert.equal(changed.body, article.body);
    assert.ok(changed.updatedAt >= created.updatedAt);
    assert.equal((await call('GET', `/api/articles/${created.slug}`)).status, 404);
    assert.equal((await call('GET', '/api/articles?tag=dragons')).body.articlesCount, 1);
    const deleted = await call('DELETE', `/api/articles/${changed.slug}`, { token: token() });
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    assert.equal((await call('GET', `/api/articles/${changed.slug}`)).status, 404);
    assert.ok((await call('GET', '/api/tags')).body.tags.includes('dragons'));
  });

  test('counts each favourite once', async () => {
    const { slug } = await create();
    const path = `/api/articles/${slug}/favorite`;
    for (const [method, count] of [
      ['POST', 1],
      ['POST', 1],
      ['DELETE', 0],
      ['DELETE', 0],
    ]) {
      const { body } = await call(method, path, { token: token() });
      assert.deepEqual([body.article.favoritesCount, body.article.favorited], [count, count === 1]);
    }
    await call('DELETE', `/api/articles/${slug}`, { token: token() });
  });

  test('adds and deletes comments', async () => {
    const path = '/api/articles/notes-on-http-8/comments';
    const added = await call('POST', path, { token: token(), body: { comment: { body: 'Well said' } } });
    assert.equal(added.status, 201);
    assert.equal(added.body.comment.author.username, 'ada');
    assert.equal((await call('GET', path)).body.comments.length, 4);
    assert.equal((await call('DELETE', `${path}/${added.body.comment.id}`, { token: token() })).status, 204);
    assert.equal((await call('DELETE', `${path}/${added.body.comment.id}`, { token: token() })).status, 404);
    assert.equal((await call('DELETE', `${path}/22`, { token: token() })).status, 403);
    assert.equal((await call('GET', path)).body.comments.length, 3);
  });
}

function errors({ call, token }) {
  const unknown = '/api/articles/no-such-article';
  const wrongUser = { username: '', email: 'x', password: 'short' };
  const own = { token: token };
  const cases = [
    ['GET', '/api/user', {}, 401, { token: ['is missing'] }],
    ['GET', '/api/user', { headers: { authorization: 'Basic abc' } }, 401, { token: ['is missing'] }],
    ['GET', '/api/tags/none', {}, 404, { route: ['not found'] }],
    ['GET', '/api/articles', { headers: { authorization: 'Token wrong' } }, 401, { token: ['is invalid'] }],
    ['GET', '/api/articles/feed', {}, 401, { token: ['is missing'] }],
    ['POST', '/api/articles', { body: { article } }, 401, { token: ['is missing'] }],
    ['GET', unknown, {}, 404, { article: ['not found'] }],
    ['GET', `${unknown}/comments`, {}, 404, { article: ['not found'] }],
    ['PUT', unknown, { ...own, body: { article: {} } }, 404, { article: ['not found'] }],
    ['GET', '/api/profiles/nobody', {}, 404, { profile: ['not found'] }],
    ['POST', '/api/profiles/nobody/follow', own, 404, { profile: ['not found'] }],
    ['PUT', '/api/articles/notes-on-http-8', { ...own, body: { article: {} } }, 403, { article: ['forbidden'] }],
    ['DELETE', '/api/articles/notes-on-http-8', own, 403, { article: ['forbidden'] }],
    ['GET', '/api/articles?limit=0', {}, 422, { limit: ['must be an integer from 1 to 100'] }],
    ['GET', '/api/articles?offset=-1', {}, 422, { offset: ['must be an integer from 0 to 1000000'] }],
    ['POST', '/api/users', {}, 422, { user: ["can't be blank"] }],
    ['POST', '/api/users', { body: { user: { ...ada, username: 'ada' } } }, 422, { username: ['has already been taken'] }],
    ['POST', '/api/users', { body: { user: { ...ada, username: 'eve' } } }, 422, { email: ['has already been taken'] }],
    ['PUT', '/api/user', { ...own, body: { user: { username: 'author1' } } }, 422, { username: ['has already been taken'] }],
    ['POST', '/api/users/login', { body: { user: { ...ada, password: 'x' } } }, 422, { 'email or password': ['is invalid'] }],
    [
      'POST',
      '/api/users/login',
      { body: { user: { email: 'no@example.com', password: 'x' } } },
      422,
      { 'email or password': ['is invalid'] },
    ],
    [
      'POST',
      '/api/articles',
      { ...own, body: { article: { title: 'x', body: 7, tagList: 'y' } } },
      422,
      {
        description: ["can't be blank"],
        body: ['must be a string'],
        tagList: ['must be a list of at most 20 tags'],
      },
    ],
    [
      'POST',
      '/api/users',
      { body: { user: wrongUser } },
      422,
      {
        username: ["can't be blank"],
        email: ['is invalid'],
        password: ['is too short (minimum is 8 characters)'],
      },
    ],
    ['POST', '/api/articles/notes-on-http-8/comments', { ...own, body: { comment: {} } }, 422, { body: ["can't be blank"] }],
    ['POST', '/api/users/login', { body: '{"user":' }, 400, { body: ['is not valid JSON'] }],
    ['POST', '/api/users/login', { body: JSON.stringify({ user: 'x'.repeat(200_000) }) }, 413, { request: ['request entity too large'] }],
    ['GET', '/api/articles/%ff', {}, 400, { request: ["Failed to decode param '%ff'"] }],
  ];
  for (const [method, path, { token: isOwn, ...options }, status, expected] of cases) {
    test(`answers ${status} to ${method} ${path}: ${Object.entries(expected)[0].join(' ')}`, async () => {
      const reply = await call(method, path, { ...options, token: isOwn?.() });
      assert.deepEqual({ status: reply.status, ...reply.body }, { status, errors: expected });
    });
  }
}
