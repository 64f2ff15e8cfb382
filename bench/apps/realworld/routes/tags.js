import { Router } from 'express';

export function tagsRouter({ storage }) {
  const router = Router();
  router.get('/', async (req, res) => res.json({ tags: await storage.listTags() }));
  return router;
}
