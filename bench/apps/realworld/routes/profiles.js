// Other users as the viewer sees them.
import { Router } from 'express';
import { notFound } from '../lib/errors.js';
import { toProfile } from '../lib/views.js';

export function profilesRouter({ storage, auth }) {
  const router = Router();

  const show = async (req, res) => {
    const profile = await storage.findProfile(req.params.username, req.viewer?.id);
    if (profile === undefined) throw notFound('profile');
    res.json({ profile: toProfile(profile) });
  };

  const change = (method) => async (req, res) => {
    await storage[method](req.viewer.id, req.params.username);
    await show(req, res);
  };

  router.get('/:username', auth.optional, show);
  router.post('/:username/follow', auth.required, change('follow'));
  router.delete('/:username/follow', auth.required, change('unfollow'));
  return router;
}
