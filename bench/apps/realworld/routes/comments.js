// Comments of one article, mounted below its slug.
import { Router } from 'express';
import { forbidden, notFound } from '../lib/errors.js';
import { readBody, text } from '../lib/validate.js';
import { toComment } from '../lib/views.js';

export function commentsRouter({ storage, auth, findArticle }) {
  const router = Router({ mergeParams: true });

  router.get('/', auth.optional, async (req, res) => {
    const { id } = await findArticle(req);
    const comments = await storage.listComments(id, req.viewer?.id);
    res.json({ comments: comments.map(toComment) });
  });

  router.post('/', auth.required, async (req, res) => {
    const { body } = readBody(req.body, 'comment', { required: { body: text() } });
    const { id } = await findArticle(req);
    const comment = await storage.addComment(id, body, req.viewer.id);
    res.status(201).json({ comment: toComment(comment) });
  });

  router.delete('/:id', auth.required, async (req, res) => {
    const article = await findArticle(req);
    const comments = await storage.listComments(article.id, req.viewer.id);
    const comment = comments.find(({ id }) => String(id) === req.params.id);
    if (comment === undefined) throw notFound('comment');
    if (comment.authorId !== req.viewer.id) throw forbidden('comment');
    await storage.deleteComment(comment.id);
    res.status(204).end();
  });

  return router;
}
