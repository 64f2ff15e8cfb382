/** The pages: home, notes, one note, writing one, and a page of things to try. */
import express, { Router } from 'express';
import { InvalidNote } from '../lib/notes.js';
import { requireUser } from '../middleware/user.js';

const PAGE_SIZE = 6;
const VISITS_MS = 30 * 24 * 60 * 60 * 1000;

export function createPagesRouter(notes) {
  const pages = Router();
  const form = express.urlencoded({ extended: false, limit: '16kb' });

  pages.get('/', (req, res) => {
    // A signed cookie, not a session: a visitor who never signs in costs the server nothing.
    const visits = (Number(req.signedCookies.visits) || 0) + 1;
    res.cookie('visits', String(visits), { maxAge: VISITS_MS, sameSite: 'lax', signed: true, httpOnly: true });
    const latest = notes.list({ limit: 3 });
    res.render('home', { page: 'Home', notes: latest.items, total: latest.total, visits });
  });

  pages.get('/notes', (req, res) => {
    const number = Math.max(1, Number.parseInt(req.query.page, 10) || 1);
    const query = typeof req.query.q === 'string' ? req.query.q : '';
    const tag = typeof req.query.tag === 'string' ? req.query.tag : undefined;
    const { items, total } = notes.list({ query, tag, page: number, limit: PAGE_SIZE });
    const count = Math.max(1, Math.ceil(total / PAGE_SIZE));
    res.render('notes', { page: 'Notes', notes: items, total, number, count, query, tag, tags: notes.tags() });
  });

  pages.get('/notes/new', requireUser, (req, res) => res.render('write', { page: 'New note', note: {}, fields: {} }));

  pages.post('/notes', requireUser, form, (req, res) => {
    try {
      const note = notes.add(req.body, req.user.name);
      req.session.notice = 'Your note is saved.';
      res.redirect(303, `/notes/${note.id}`);
    } catch (error) {
      if (!(error instanceof InvalidNote)) throw error;
      res.status(422).render('write', { page: 'New note', note: req.body ?? {}, fields: error.fields });
    }
  });

  pages.get('/notes/:id', (req, res, next) => {
    const note = notes.find(Number(req.params.id));
    if (note === undefined) return next();
    res.render('note', { page: note.title, note });
  });

  pages.get('/try', (req, res) => res.render('try', { page: 'Try it' }));
  pages.get('/try/throw', () => {
    throw new Error('thrown on purpose');
  });
  pages.get('/try/reject', async () => {
    await Promise.reject(Object.assign(new Error('I am a teapot, as asked'), { status: 418 }));
  });
  return pages;
}
