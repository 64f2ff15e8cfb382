/** /api: the notes as JSON. Reading is open to every origin, writing needs a session. */
import cors from 'cors';
import express, { Router } from 'express';
import { requireUser } from '../middleware/user.js';

const PAGE_SIZE_DEFAULT = 5;
const PAGE_SIZE_MAX = 50;
const BODY_BYTES_MAX = '32kb';

export function createApiRouter(notes) {
  const api = Router();
  api.use(cors({ methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: ['Link', 'X-Total-Count'], maxAge: 600 }));
  api.use(express.json({ limit: BODY_BYTES_MAX }));

  api.param('id', (req, res, next, id) => {
    req.note = /^\d{1,9}$/.test(id) ? notes.find(Number(id)) : undefined;
    if (req.note === undefined) return res.status(404).json({ error: `No note has the id ${id}` });
    next();
  });

  api.route('/notes').get(listNotes(notes)).post(requireUser, createNote(notes));
  api
    .route('/notes/:id')
    .get((req, res) => res.json(req.note))
    .put(requireUser, requireAuthor, (req, res) => res.json(notes.change(req.note.id, req.body, false)))
    .patch(requireUser, requireAuthor, (req, res) => res.json(notes.change(req.note.id, req.body, true)))
    .delete(requireUser, requireAuthor, (req, res) => {
      notes.remove(req.note.id);
      res.status(204).end();
    });
  api.get('/tags', (req, res) => res.json(notes.tags()));
  return api;
}

function requireAuthor(req, res, next) {
  if (req.note.author === req.user.name) return next();
  res.status(403).json({ error: 'Only its author changes a note' });
}

function listNotes(notes) {
  return (req, res) => {
    const page = positive(req.query.page, 1);
    const limit = Math.min(positive(req.query.limit, PAGE_SIZE_DEFAULT), PAGE_SIZE_MAX);
    if (Number.isNaN(page) || Number.isNaN(limit)) {
      return res.status(400).json({ error: 'page and limit are whole numbers from 1' });
    }
    const { items, total } = notes.list({ query: word(req.query.q) ?? '', tag: word(req.query.tag), page, limit });
    const pages = Math.max(1, Math.ceil(total / limit));
    const at = (number) => `${req.baseUrl}/notes?page=${number}&limit=${limit}`;
    if (page < pages) res.links({ next: at(page + 1), last: at(pages) });
    if (page > 1) res.links({ first: at(1), prev: at(page - 1) });
    res.set('X-Total-Count', String(total)).json({ page, limit, pages, total, items });
  };
}

function createNote(notes) {
  return (req, res) => {
    const note = notes.add(req.body, req.user.name);
    res.status(201).location(`${req.baseUrl}/notes/${note.id}`).json(note);
  };
}

const word = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

function positive(value, fallback) {
  if (value === undefined) return fallback;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : Number.NaN;
}
