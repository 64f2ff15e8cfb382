// Articles: lists, one article, favourites. Comments are in their own file.
import { Router } from 'express';
import { forbidden, notFound } from '../lib/errors.js';
import { toSlug } from '../lib/slug.js';
import { readBody, readFilter, readPage, tagList, text } from '../lib/validate.js';
import { toArticle, toListedArticle } from '../lib/views.js';
import { commentsRouter } from './comments.js';

const title = text({ max: 200 });
const description = text({ max: 1000 });
const body = text();

export function articlesRouter(context) {
  const { storage, auth } = context;
  const router = Router();

  const find = async (req) => {
    const article = await storage.findArticle(req.params.slug, req.viewer?.id);
    if (article === undefined) throw notFound('article');
    return article;
  };
  const findOwn = async (req) => {
    const article = await find(req);
    if (article.authorId !== req.viewer.id) throw forbidden('article');
    return article;
  };
  const list = async (req, res, filters) => {
    const { articles, articlesCount } = await storage.listArticles({ ...filters, ...readPage(req.query) }, req.viewer?.id);
    res.json({ articles: articles.map(toListedArticle), articlesCount });
  };

  router.get('/', auth.optional, (req, res) => {
    const { tag, author, favorited } = req.query;
    return list(req, res, { tag: readFilter(tag), author: readFilter(author), favorited: readFilter(favorited) });
  });
  router.get('/feed', auth.required, (req, res) => list(req, res, { feedOf: req.viewer.id }));
  router.get('/:slug', auth.optional, async (req, res) => res.json({ article: toArticle(await find(req)) }));

  router.post('/', auth.required, async (req, res) => {
    const given = readBody(req.body, 'article', { required: { title, description, body }, optional: { tagList } });
    const article = { ...given, slug: toSlug(given.title), tagList: [...new Set(given.tagList)] };
    const created = await storage.createArticle(article, req.viewer.id);
    res.status(201).json({ article: toArticle(created) });
  });

  router.put('/:slug', auth.required, async (req, res) => {
    const changes = readBody(req.body, 'article', { optional: { title, description, body } });
    const { id } = await findOwn(req);
    if (changes.title !== undefined) changes.slug = toSlug(changes.title);
    const updated = await storage.updateArticle(id, changes, req.viewer.id);
    if (updated === undefined) throw notFound('article');
    res.json({ article: toArticle(updated) });
  });

  router.delete('/:slug', auth.required, async (req, res) => {
    const { id } = await findOwn(req);
    await storage.deleteArticle(id);
    res.status(204).end();
  });

  const favorite = (method) => async (req, res) => {
    const { id } = await find(req);
    await storage[method](req.viewer.id, id);
    res.json({ article: toArticle(await find(req)) });
  };
  router.post('/:slug/favorite', auth.required, favorite('favorite'));
  router.delete('/:slug/favorite', auth.required, favorite('unfavorite'));
  router.use('/:slug/comments', commentsRouter({ ...context, findArticle: find }));
  return router;
}
